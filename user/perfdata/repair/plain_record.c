// SPDX-License-Identifier: GPL-2.0-only
/*
 * Removes what perfstamp adds to records, see plain_record.h. Layouts: enum
 * perf_event_type in include/uapi/linux/perf_event.h, and include/perfstamp/record.h.
 */
#include "user/perfdata/repair/plain_record.h"

#include <byteswap.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <string.h>

#include "user/event/notes.h"

#define PROT_OFFSET 64 /* offset of .prot in an MMAP2 */

/* Returns the offset of the string after which an extension may follow; 0: the type has none. */
static size_t string_offset(const struct event *event)
{
	switch (event->type) {
	case PERF_RECORD_MMAP2:
		return 72;
	case PERF_RECORD_CGROUP:
		return 16;
	case PERF_RECORD_KSYMBOL:
		return 24;
	}
	return 0;
}

static uint64_t read_number(const uint8_t *at, size_t size, bool swap)
{
	uint32_t wide;
	uint16_t narrow;

	if (size == sizeof(wide)) {
		memcpy(&wide, at, sizeof(wide));
		return swap ? bswap_32(wide) : wide;
	}
	memcpy(&narrow, at, sizeof(narrow));
	return swap ? bswap_16(narrow) : narrow;
}

/* Returns the bytes of the extension, if @room bytes remain in the record; 0: there is none. */
static size_t extension_size(const uint8_t *at, size_t room, bool swap)
{
	size_t size;

	if (room < PERFSTAMP_CONTAINER_SIZE_1)
		return 0;
	size = read_number(at + offsetof(struct perfstamp_extension, size), 2, swap);
	switch (read_number(at, 4, swap)) {
	case PERFSTAMP_EXTENSION_MAGIC:
	case PERFSTAMP_MODULE_MAGIC:
		break;
	case PERFSTAMP_CONTAINER_MAGIC:
		size += read_number(
			at + offsetof(struct perfstamp_container_extension, text_size), 2, swap);
		break;
	default:
		return 0;
	}
	size = (size + 7) / 8 * 8;
	return size <= room ? size : 0;
}

bool plain_record__is_note(const struct event *event)
{
	const char *path = (const char *)event->raw + 16;
	uint64_t id = 0;

	if (event->type != PERF_RECORD_CGROUP || event->raw_size <= 16 ||
		!memchr(path, 0, event->raw_size - 16))
		return false;
	/* All bits of this id are equal, so the byte order does not matter. */
	memcpy(&id, (const char *)event->raw + 8, sizeof(id));
	return notes__is_note(id, path);
}

/* Removes the number of a note, because the copy does not have the note. */
static void remove_number(const struct event *event, uint8_t *record, bool swap)
{
	uint32_t prot;

	if (event->type != PERF_RECORD_MMAP2 || event->raw_size < PROT_OFFSET + sizeof(prot))
		return;
	memcpy(&prot, record + PROT_OFFSET, sizeof(prot));
	prot = swap ? bswap_32(prot) : prot;
	prot &= (1u << PERFSTAMP_NOTE_PROT_SHIFT) - 1;
	prot = swap ? bswap_32(prot) : prot;
	memcpy(record + PROT_OFFSET, &prot, sizeof(prot));
}

int plain_record__put(struct buffer *out, const struct event *event, bool swap)
{
	const uint8_t *raw = event->raw;
	size_t start = out->size, begin = string_offset(event), size = 0;
	const void *end = NULL;
	uint16_t left;

	if (begin && begin < event->raw_size)
		end = memchr(raw + begin, 0, event->raw_size - begin);
	if (end) {
		begin += ((const uint8_t *)end - (raw + begin) + 8) / 8 * 8;
		if (begin < event->raw_size)
			size = extension_size(raw + begin, event->raw_size - begin, swap);
	}
	buffer__append(out, raw, size ? begin : event->raw_size);
	if (size)
		buffer__append(out, raw + begin + size, event->raw_size - begin - size);
	if (out->error)
		return out->error;
	remove_number(event, out->data + start, swap);
	left = event->raw_size - size;
	left = swap ? bswap_16(left) : left;
	memcpy(out->data + start + offsetof(struct perf_event_header, size), &left, sizeof(left));
	return 0;
}
