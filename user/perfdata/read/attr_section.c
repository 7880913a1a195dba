// SPDX-License-Identifier: GPL-2.0-only
/*
 * See attr_section.h.
 */
#include "user/perfdata/read/attr_section.h"

#include <errno.h>
#include <stdlib.h>

#include "user/base/cursor.h"
#include "user/event/attrs.h"
#include "user/perfdata/disk_attr.h"

static int read_ids(struct input *in, const struct perf_event_attr *attr, struct cursor *entry,
	attr_section_fn *fn, void *ctx)
{
	uint64_t offset = cursor__u64(entry), size = cursor__u64(entry);
	void *ids;
	int err;

	if (entry->failed || size > ATTRS_IDS_MAX * sizeof(uint64_t))
		return -EBADMSG;
	ids = malloc(size ? size : 1);
	if (!ids)
		return -ENOMEM;
	err = input__read_at(in, offset, ids, size);
	if (!err)
		err = fn(ctx, attr, ids, size);
	free(ids);
	return err;
}

static int read_entry(struct input *in, const struct file_header *header, uint8_t *bytes,
	attr_section_fn *fn, void *ctx)
{
	/* The section of the ids is at the end of the entry, whatever size the attribute has. */
	size_t ids_at = header->header.attr_size - sizeof(struct perfdata_section), size;
	struct perf_event_attr attr;
	struct cursor entry;
	int err = disk_attr__read(&attr, bytes, ids_at, header->swap, &size);

	if (err)
		return err;
	cursor__init(&entry, bytes + ids_at, sizeof(struct perfdata_section), header->swap);
	return read_ids(in, &attr, &entry, fn, ctx);
}

int attr_section__read(struct input *in, const struct file_header *header, attr_section_fn *fn,
	void *ctx, uint64_t *ret_offset)
{
	size_t entry_size = header->header.attr_size;
	uint64_t n = header->header.attrs.size / entry_size;
	uint8_t *bytes = malloc(entry_size);
	int err = bytes ? 0 : -ENOMEM;

	for (uint64_t i = 0; i < n && !err; i++) {
		*ret_offset = header->header.attrs.offset + i * entry_size;
		err = input__read_at(in, *ret_offset, bytes, entry_size);
		if (!err)
			err = read_entry(in, header, bytes, fn, ctx);
	}
	free(bytes);
	return err;
}
