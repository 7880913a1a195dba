/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An attribute as it stands in a file, of any size and either byte order. Pure.
 */
#ifndef PERFSTAMP_PERFDATA_DISK_ATTR_H
#define PERFSTAMP_PERFDATA_DISK_ATTR_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads the attribute in the first bytes of @bytes; what it has beyond ours is dropped,
 * what it lacks is 0, .size stays the file's. *@ret_size is how many bytes it takes there.
 * Returns 0, or -EBADMSG for a size under PERF_ATTR_SIZE_VER0 or beyond @size.
 */
int disk_attr__read(
	struct perf_event_attr *ret, const void *bytes, size_t size, bool swap, size_t *ret_size);

/*
 * The reverse: @attr as PERFDATA_ATTR_SIZE bytes at @bytes, whose size shows it. What a
 * longer one has beyond is dropped: perf 6 reads no longer one.
 */
void disk_attr__write(void *bytes, const struct perf_event_attr *attr, bool swap);

#endif
