/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PERF_RECORD_MMAP3 and PERF_RECORD_MODULE, which patched kernels have, and the bits of an
 * attribute that ask for them. No unpatched kernel's header has these numbers, and another
 * kernel may use them differently: a record is decoded as one of these only if its event's
 * attribute has the bit. Pure.
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
 * Reads the fields of a MMAP3 between pgoff and the file's name. Sources and reasons are
 * converted to our numbers; unknown ones become NATIVE and UNKNOWN. Contradictory lengths
 * fail @body.
 */
void native_record__map(struct cursor *body, struct event_map *ret);

/*
 * Converts the EVENT_MAP of a MMAP3 to one that is written as a MMAP2 with our extension,
 * which every perf reads. The " (deleted)" that the kernel appends to a path becomes a
 * flag; the path is then in @path, of PERFSTAMP_PATH_MAX bytes.
 */
void native_record__translate(struct event *event, char *path);

/*
 * Makes *@ret an EVENT_MODULE without a path. Events of later kernels remain EVENT_OTHER; a
 * contradictory record fails @body.
 */
void native_record__module(struct cursor *body, struct event *ret);

#endif
