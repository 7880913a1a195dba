// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attributes of files, see disk_attr.h and perf_event__attr_swap() in
 * tools/perf/util/session.c of Linux.
 */
#include "user/perfdata/disk_attr.h"

#include <byteswap.h>
#include <errno.h>
#include <string.h>

#include "user/perfdata/layout.h"

/* Widths of the fields in order; 1 for each byte of the bit field. */
static const uint8_t widths[] = {4, 4, 8, 8, 8, 8, /* type to read_format */
	1, 1, 1, 1, 1, 1, 1, 1,                    /* disabled and so on */
	4, 4, 8, 8, 8, 8,                          /* wakeup to sample_regs_user */
	4, 4, 8,                                   /* sample_stack_user to sample_regs_intr */
	4, 2, 2, 4, 4, 8,                          /* aux_watermark to sig_data */
	8, 8};                                     /* config3 and config4, Linux 6.3 and later */

/* Big-endian machines fill bit fields from the other end of each byte. */
static uint8_t reverse_bits(uint8_t byte)
{
	byte = byte >> 4 | byte << 4;
	byte = (byte & 0xcc) >> 2 | (byte & 0x33) << 2;
	return (byte & 0xaa) >> 1 | (byte & 0x55) << 1;
}

static void swap_fields(uint8_t *bytes, size_t size)
{
	size_t at = 0;

	for (size_t i = 0; i < sizeof(widths) && at + widths[i] <= size; at += widths[i++]) {
		for (size_t j = 0; j < widths[i] / 2u; j++) {
			uint8_t byte = bytes[at + j];

			bytes[at + j] = bytes[at + widths[i] - 1 - j];
			bytes[at + widths[i] - 1 - j] = byte;
		}
		if (widths[i] == 1)
			bytes[at] = reverse_bits(bytes[at]);
	}
}

int disk_attr__read(
	struct perf_event_attr *ret, const void *bytes, size_t size, bool swap, size_t *ret_size)
{
	size_t known;
	uint32_t told;

	if (size < PERF_ATTR_SIZE_VER0)
		return -EBADMSG;
	memcpy(&told, (const uint8_t *)bytes + offsetof(struct perf_event_attr, size),
		sizeof(told));
	if (swap)
		told = bswap_32(told);
	if (!told) /* a size of 0 means the first version, as in perf */
		told = PERF_ATTR_SIZE_VER0;
	if (told < PERF_ATTR_SIZE_VER0 || told > size)
		return -EBADMSG;
	known = told < sizeof(*ret) ? told : sizeof(*ret);
	memset(ret, 0, sizeof(*ret));
	memcpy(ret, bytes, known);
	if (swap)
		swap_fields((uint8_t *)ret, sizeof(*ret));
	ret->size = told;
	*ret_size = told;
	return 0;
}

void disk_attr__write(void *bytes, const struct perf_event_attr *attr, bool swap)
{
	struct perf_event_attr copy = *attr;

	copy.size = PERFDATA_ATTR_SIZE;
	memset(bytes, 0, PERFDATA_ATTR_SIZE);
	memcpy(bytes, &copy, sizeof(copy) < PERFDATA_ATTR_SIZE ? sizeof(copy) : PERFDATA_ATTR_SIZE);
	if (swap)
		swap_fields(bytes, PERFDATA_ATTR_SIZE);
}
