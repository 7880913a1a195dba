// SPDX-License-Identifier: GPL-2.0-only
/*
 * See build_id_table.h.
 */
#include <errno.h>

#include "user/base/cursor.h"
#include "user/perfdata/features/build_id_table.h"
#include "user/perfdata/layout.h"

static int parse_entry(struct cursor *in, bool swap, struct build_id_entry *ret)
{
	struct cursor entry;
	uint16_t misc, size;
	uint8_t mode;

	cursor__u32(in); /* type: 0 in a file, HEADER_BUILD_ID in a pipe */
	misc = cursor__u16(in);
	size = cursor__u16(in);
	if (in->failed || size < sizeof(struct perfdata_build_id))
		return -EBADMSG;
	entry = cursor__sub(in, size - sizeof(struct perf_event_header));
	entry.swap = swap;
	cursor__u32(&entry); /* pid */
	ret->build_id = cursor__bytes(&entry, PERFSTAMP_BUILD_ID_MAX);
	ret->size = cursor__u8(&entry);
	cursor__skip(&entry, 3);
	ret->path = cursor__string(&entry);
	if (!(misc & PERFDATA_MISC_BUILD_ID_SIZE))
		ret->size = PERFSTAMP_BUILD_ID_MAX;
	mode = misc & PERF_RECORD_MISC_CPUMODE_MASK;
	ret->kernel = mode == PERF_RECORD_MISC_KERNEL || mode == PERF_RECORD_MISC_GUEST_KERNEL;
	return in->failed || entry.failed || ret->size > PERFSTAMP_BUILD_ID_MAX ? -EBADMSG : 0;
}

int build_id_table__parse(const void *bytes, size_t size, bool swap,
	int (*fn)(const struct build_id_entry *entry, void *ctx), void *ctx)
{
	struct build_id_entry entry;
	struct cursor in;

	cursor__init(&in, bytes, size, swap);
	while (cursor__remaining(&in)) {
		int err = parse_entry(&in, swap, &entry);

		if (!err)
			err = fn(&entry, ctx);
		if (err)
			return err;
	}
	return 0;
}

static int ignore(const struct build_id_entry *entry, void *ctx)
{
	(void)entry;
	(void)ctx;
	return 0;
}

bool build_id_table__is_entry(const void *bytes, size_t size, bool swap)
{
	return !build_id_table__parse(bytes, size, swap, ignore, NULL);
}
