/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libpfm4, which knows the events of each processor by the names in its manual. In a file of its
 * own, because libpfm4's headers and the kernel's both define struct perf_event_attr.
 */
#ifndef PERFSTAMP_SOURCE_EVENTS_PFM_H
#define PERFSTAMP_SOURCE_EVENTS_PFM_H

#include <stddef.h>

/*
 * Encodes @text into the struct perf_event_attr of @attr_size bytes at @ret_attr: type, config*,
 * precise_ip and exclude_*. Returns 0, -ENOENT if this machine has no such event, or -EINVAL if the
 * event is known but not its units or modifiers; @ret_reason then is libpfm's own text. Returns
 * -ELIBACC with a text if libpfm4 is not installed.
 */
int perf_pfm__encode(const char *text, void *ret_attr, size_t attr_size, const char **ret_reason);

#endif
