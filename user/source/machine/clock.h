/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Converts times of the BPF programs (CLOCK_MONOTONIC) to the samples' clock (-k). Each round
 * compares the two clocks. Times between two comparisons are interpolated, so that a mapping is
 * before the samples in it even while a clock is being slewed.
 */
#ifndef PERFSTAMP_SOURCE_CLOCK_H
#define PERFSTAMP_SOURCE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Nanoseconds of @clockid, a CLOCK_* that clock_gettime knows, as in the kernel's records: in the
 * initial time namespace, whichever namespace we are in.
 */
uint64_t clock__now(int clockid);

/* CLOCK_REALTIME when @clockid was @time_ns; the current time if @time_ns is 0 or in the future. */
int64_t clock__to_realtime(int clockid, uint64_t time_ns);

/*
 * CLOCK_REALTIME_COARSE, which sets file times, minus CLOCK_MONOTONIC_COARSE of the initial time
 * namespace, in ns. It is exact, and stays the same until somebody sets the clock.
 */
int64_t clock__coarse_offset(void);

/*
 * CLOCK_TAI minus CLOCK_REALTIME, in whole seconds: the leap seconds, if the kernel was told them.
 */
int64_t clock__tai_offset(void);

/*
 * Returns a descriptor to poll, which becomes readable when somebody sets CLOCK_REALTIME, or when
 * the machine was suspended; or -errno. The caller closes it.
 */
int clock__watch(void);
/* Whether one of these has happened since the last call for @fd. */
bool clock__was_set(int fd);

struct clock_pair {
	int64_t monotonic_ns;
	int64_t offset_ns; /* the other clock minus .monotonic_ns */
};

struct clock_conversion {
	int clockid;
	struct clock_pair before;
	struct clock_pair now;
};

/* @clockid is a CLOCK_* that clock_gettime knows. */
void clock_conversion__init(struct clock_conversion *conversion, int clockid);
/* Compares the clocks again. Call it once a round, before the round's times are converted. */
void clock_conversion__compare(struct clock_conversion *conversion);
uint64_t clock_conversion__from_monotonic(
	const struct clock_conversion *conversion, uint64_t monotonic_ns);

#endif
