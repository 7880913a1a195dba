/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the attribute section of a file: each attribute, and its ids, which are elsewhere.
 */
#ifndef PERFSTAMP_PERFDATA_ATTR_SECTION_H
#define PERFSTAMP_PERFDATA_ATTR_SECTION_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#include "user/perfdata/file_header.h"
#include "user/perfdata/input.h"

/* @ids: @size bytes in the file's byte order. */
typedef int attr_section_fn(
	void *ctx, const struct perf_event_attr *attr, const void *ids, size_t size);

/*
 * Calls @fn for each attribute. Returns 0; the first non-zero result of @fn; -EBADMSG, -ENOMEM or
 * read's error. After an error, *@ret_offset is the place of the attribute that caused it.
 */
int attr_section__read(struct input *in, const struct file_header *header, attr_section_fn *fn,
	void *ctx, uint64_t *ret_offset);

#endif
