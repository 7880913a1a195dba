/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads and writes an attribute of any size, in either byte order. Pure. */
#ifndef PERFSTAMP_PERFDATA_DISK_ATTR_H
#define PERFSTAMP_PERFDATA_DISK_ATTR_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads the attribute in the first bytes of @bytes; unknown trailing bytes are dropped,
 * missing fields are 0, .size is the file's. *@ret_size is its size in the file. Returns 0,
 * or -EBADMSG for a size under PERF_ATTR_SIZE_VER0 or beyond @size.
 */
int disk_attr__read(
	struct perf_event_attr *ret, const void *bytes, size_t size, bool swap, size_t *ret_size);

/*
 * The reverse: @attr as PERFDATA_ATTR_SIZE bytes at @bytes, whose size shows it. What a
 * longer one has beyond is dropped: perf 6 reads no longer one.
 */
void disk_attr__write(void *bytes, const struct perf_event_attr *attr, bool swap);

#endif
