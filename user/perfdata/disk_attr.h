/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads and writes an attribute of any size, in either byte order. Pure. */
#ifndef PERFSTAMP_PERFDATA_DISK_ATTR_H
#define PERFSTAMP_PERFDATA_DISK_ATTR_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads the attribute at the start of @bytes. Unknown trailing bytes are dropped, missing fields
 * are 0, and .size is the file's. *@ret_size is its size in the file. Returns 0, or -EBADMSG for a
 * size below PERF_ATTR_SIZE_VER0 or above @size.
 */
int disk_attr__read(
	struct perf_event_attr *ret, const void *bytes, size_t size, bool swap, size_t *ret_size);

/*
 * Writes @attr as PERFDATA_ATTR_SIZE bytes to @bytes; .size states that size. The rest of a longer
 * attribute is dropped, because perf 6 cannot read longer ones.
 */
void disk_attr__write(void *bytes, const struct perf_event_attr *attr, bool swap);

#endif
