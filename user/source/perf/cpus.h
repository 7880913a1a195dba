/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPUs that change between on-line and off-line while whole CPUs are recorded. The kernel
 * removes the events of a CPU that goes off-line, so they are opened again when it is back,
 * and opened on CPUs that are new. Inside user/source only; others see evlists
 * (evlist.h).
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
	/* In the order of the target's CPUs; those that came later are at its end. */
	struct perf_cpu **cpus;
	size_t n;
	size_t asked;      /* the CPU that this look checks */
	uint64_t look_ns;  /* the time that identifies this look */
	uint64_t whole_ns; /* the time of the last look that saw all CPUs, or of opening them */
	struct perf_online online;
};

/* One ring for each CPU that was on-line. */
struct perf_rings {
	struct perf_ring **rings; /* with room for all of the target's CPUs */
	size_t n;
	size_t pages; /* data pages of each ring */
};

/* What is open on the CPUs. */
struct perf_cpus_open {
	struct perf_plan *plan;
	struct perf_target *target;
	struct perf_rings *rings;
	bool whole;    /* whole CPUs are sampled, not threads */
	bool sampling; /* sampled events are enabled, not only the sideband event */
};

/* Begins with the target's CPUs, which were opened at @now_ns (monotonic). Returns 0 or -ENOMEM. */
int perf_cpus__begin(struct perf_cpus *cpus, const struct perf_cpus_open *open, uint64_t now_ns);
/* See evlist__look_at_cpus. */
int perf_cpus__look(struct perf_cpus *cpus, const struct perf_cpus_open *open, uint64_t now_ns,
	bool resumed, struct evlist_cpu_change *ret, struct error *err);
void perf_cpus__free(struct perf_cpus *cpus);

#endif
