/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The PMUs in /sys/bus/event_source/devices: their types, the bit ranges of
 * their terms and the events that they list. Opens no event.
 * Source: Documentation/ABI/testing/sysfs-bus-event_source-devices-*.
 */
#ifndef PERFSTAMP_SOURCE_EVENTS_PMU_H
#define PERFSTAMP_SOURCE_EVENTS_PMU_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/parse/event/cpu_list.h"
#include "user/parse/event/terms.h"

/* The PMUs of a part of the CPUs: a hybrid machine has two kinds. */
struct core_pmu {
	char name[64];
	uint32_t type;
	char *cpus; /* list format */
};

struct core_pmus {
	struct core_pmu *pmus;
	size_t n; /* 0 or 1 on most machines */
};

int core_pmus__find(struct core_pmus *ret);
void core_pmus__free(struct core_pmus *pmus);

/*
 * Parses pmu/@terms/. Stores the type, config* and perhaps a period in @attr, terms that any event
 * may have in @ret_terms, and the CPUs that have the event in @ret_cpus (n 0 for all). @text is for
 * errors. Returns 0, -ENOENT (no such PMU or term), -EINVAL, -ENOMEM with text.
 */
int perf_pmu__encode(struct perf_event_attr *attr, struct event_terms *ret_terms,
	struct cpu_list *ret_cpus, const char *pmu, const char *terms, const char *text,
	struct error *err);

/* Does the same for the event @name in the list of the CPU's own PMU. -ENOENT has no text. */
int perf_pmu__find_event(struct perf_event_attr *attr, struct cpu_list *ret_cpus, const char *name,
	struct error *err);

#endif
