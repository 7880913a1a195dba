/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPUs that change between on-line and off-line while whole CPUs are recorded. The kernel
 * removes the events of a CPU that goes off-line, so they are opened again when it is back,
 * and opened on CPUs that are new. Inside user/source only; others see evlists
 * (perf_event.h).
 */
#ifndef PERFSTAMP_SOURCE_PERF_CPUS_H
#define PERFSTAMP_SOURCE_PERF_CPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/source/perf/cpu_change.h"
#include "user/source/perf/plan.h"
#include "user/source/perf/ring.h"
#include "user/source/perf/target.h"

struct perf_cpu;

struct perf_cpus {
	struct perf_cpu **cpus; /* as the target's; those that came later at its end */
	size_t n;
	size_t asked;      /* which of them this look asks */
	uint64_t look_ns;  /* which look it is, by its time */
	uint64_t whole_ns; /* the last one that saw all, or when they were opened */
	struct perf_online online;
};

/* One for each CPU, if it was on-line. */
struct perf_rings {
	struct perf_ring **rings; /* room for all of the target's CPUs */
	size_t n;
	size_t pages; /* of each */
};

/* What is open on them. */
struct perf_cpus_open {
	struct perf_plan *plan;
	struct perf_target *target;
	struct perf_rings *rings;
	bool whole;    /* CPUs, not threads */
	bool sampling; /* events are enabled, not the sideband alone */
};

/* Of the target's CPUs, which have been opened at @now_ns, monotonic. Returns 0 or -ENOMEM. */
int perf_cpus__begin(struct perf_cpus *cpus, const struct perf_cpus_open *open, uint64_t now_ns);
/* As evlist__look_at_cpus. */
int perf_cpus__look(struct perf_cpus *cpus, const struct perf_cpus_open *open, uint64_t now_ns,
	bool resumed, struct evlist_cpu_change *ret, struct error *err);
void perf_cpus__free(struct perf_cpus *cpus);

#endif
