/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Converts times of the BPF programs (CLOCK_MONOTONIC) to the samples' clock (-k). The two
 * are compared at each round, and what lies between two comparisons is interpolated, so
 * that a clock that is being slewed still orders a mapping before the samples in it.
 */
#ifndef PERFSTAMP_SOURCE_CLOCK_H
#define PERFSTAMP_SOURCE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Nanoseconds of @clockid, a CLOCK_* that clock_gettime knows, as the kernel's records have
 * them: those of the initial time namespace, whichever we are in.
 */
uint64_t clock__now(int clockid);

/*
 * CLOCK_REALTIME at the moment when @clockid was @time_ns; the current time if that is 0 or
 * in the future.
 */
int64_t clock__to_realtime(int clockid, uint64_t time_ns);

/*
 * CLOCK_REALTIME_COARSE, which sets file times, minus CLOCK_MONOTONIC_COARSE of the initial time
 * namespace, in ns: exact, and the same until somebody sets the clock.
 */
int64_t clock__coarse_offset(void);

/* CLOCK_TAI minus CLOCK_REALTIME, in whole seconds: leap seconds, if somebody has told the kernel.
 */
int64_t clock__tai_offset(void);

/*
 * A descriptor to poll that becomes readable when somebody sets CLOCK_REALTIME, or the machine was
 * suspended; -errno. The caller closes it.
 */
int clock__watch(void);
/* Whether either has happened since the last call for @fd. */
bool clock__was_set(int fd);

struct clock_pair {
	int64_t monotonic_ns;
	int64_t offset_ns; /* of the other clock against it */
};

struct clock_conversion {
	int clockid;
	struct clock_pair before;
	struct clock_pair now;
};

/* @clockid is a CLOCK_* that clock_gettime knows. */
void clock_conversion__init(struct clock_conversion *conversion, int clockid);
/* Compares the clocks anew. Call once a round, before the times of that round are converted. */
void clock_conversion__compare(struct clock_conversion *conversion);
uint64_t clock_conversion__from_monotonic(
	const struct clock_conversion *conversion, uint64_t monotonic_ns);

#endif
