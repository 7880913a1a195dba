/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the events of this machine for the text of -e, with tracefs, sysfs and libpfm4. One name
 * can stand for several events: a tracepoint with wildcards, or a hardware event if the machine has
 * two kinds of CPUs. Opens no event.
 */
#ifndef PERFSTAMP_SOURCE_EVENTS_NAME_H
#define PERFSTAMP_SOURCE_EVENTS_NAME_H

#include <linux/perf_event.h>
#include <stddef.h>

#include "user/base/error.h"
#include "user/parse/event/cpu_list.h"
#include "user/parse/event/name.h"
#include "user/parse/event/terms.h"

struct perf_name {
	char *name;
	struct perf_event_attr attr; /* type, config*, exclude_*, precise_ip, perhaps a period */
	struct event_modifiers modifiers;
	struct event_terms terms;
	struct cpu_list cpus; /* the only CPUs that have the event; n is 0 for all */
	unsigned int group;   /* events of a group are adjacent; 0: no group */
	char group_name[EVENT_GROUP_NAME_MAX];
	size_t end; /* end of its item in the text: wildcards expand one item to several events */
};

struct perf_names {
	struct perf_name *names;
	size_t n;
};

/*
 * Resolves the comma-separated @text. Returns 0, or -EINVAL, -ENOENT (no such event here), -EACCES
 * (tracefs) with text. The caller frees @ret in any case.
 */
int perf_names__parse(struct perf_names *ret, const char *text, struct error *err);
void perf_names__free(struct perf_names *names);

#endif
