/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The attribute section of a file: each attribute, and its ids elsewhere.
 */
#ifndef PERFSTAMP_PERFDATA_ATTR_SECTION_H
#define PERFSTAMP_PERFDATA_ATTR_SECTION_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#include "user/perfdata/file_header.h"
#include "user/perfdata/input.h"

/* @ids are @size bytes as they stand in the file. */
typedef int attr_section_fn(
	void *ctx, const struct perf_event_attr *attr, const void *ids, size_t size);

/*
 * Calls @fn for each attribute. 0, the first value other than 0 that @fn
 * returns, -EBADMSG, -ENOMEM or read's error; *@ret_offset is then where the
 * attribute stands that it was about.
 */
int attr_section__read(struct input *in, const struct file_header *header, attr_section_fn *fn,
	void *ctx, uint64_t *ret_offset);

#endif
