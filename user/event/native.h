/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PERF_RECORD_MMAP3 and PERF_RECORD_MODULE, which patched kernels have, and the bits of
 * an attribute that ask for them. No kernel's own header has these numbers, and another
 * kernel may use them otherwise: a record counts as one of these only where its
 * event's attribute has the bit. Pure.
 */
#ifndef PERFSTAMP_EVENT_NATIVE_H
#define PERFSTAMP_EVENT_NATIVE_H

#include <linux/perf_event.h>
#include <stdbool.h>

#include "user/base/cursor.h"
#include "user/event/event.h"

/* Bits of an attribute's flags, counted as the kernel declares them. */
enum native_attr {
	NATIVE_ATTR_MMAP3 = 40,
	NATIVE_ATTR_MODULE = 41,
};

bool native_attr__has(const struct perf_event_attr *attr, enum native_attr bit);
void native_attr__set(struct perf_event_attr *attr, enum native_attr bit);

/*
 * What a MMAP3 has between pgoff and the file's name, into *@ret: sources and reasons in our
 * numbers, and what a later kernel may write as NATIVE and UNKNOWN. Lengths that
 * lie fail @body.
 */
void native_record__map(struct cursor *body, struct event_map *ret);

/*
 * Makes the EVENT_MAP of a MMAP3 one that is written as a stamped MMAP2, which every perf
 * reads. The words that the kernel puts behind a path without a file become the flag that
 * says so; the path is then in @path, of PERFSTAMP_PATH_MAX bytes.
 */
void native_record__translate(struct event *event, char *path);

/*
 * A MODULE makes *@ret an EVENT_MODULE without a path. What a later kernel may write stays
 * EVENT_OTHER; one that contradicts itself fails @body.
 */
void native_record__module(struct cursor *body, struct event *ret);

#endif
