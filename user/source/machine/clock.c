// SPDX-License-Identifier: GPL-2.0-only
/* See clock.h. */
#include "user/source/machine/clock.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "user/source/proc/file.h"

#define TRIES 5

/* Lines of time_namespaces(7): the clock's name, seconds, nanoseconds. */
static int64_t read_offset(const char *offsets, const char *name)
{
	const char *line = strstr(offsets, name);
	int64_t seconds, nanoseconds;

	if (!line ||
		sscanf(line + strlen(name), "%" SCNd64 "%" SCNd64, &seconds, &nanoseconds) != 2)
		return 0;
	return seconds * 1000000000 + nanoseconds;
}

/* The offset of @clockid in our time namespace, which does not change while a process runs. */
static int64_t namespace_offset(int clockid)
{
	static int64_t monotonic, boottime;
	static bool known;
	char *offsets;

	if (!known && !proc_file__read(&offsets, NULL, "/proc/self/timens_offsets")) {
		monotonic = read_offset(offsets, "monotonic");
		boottime = read_offset(offsets, "boottime");
		free(offsets);
	}
	known = true;
	switch (clockid) {
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_MONOTONIC_COARSE:
		return monotonic;
	case CLOCK_BOOTTIME:
		return boottime;
	default:
		return 0;
	}
}

uint64_t clock__now(int clockid)
{
	struct timespec ts = {0};

	clock_gettime(clockid, &ts);
	return ts.tv_sec * 1000000000ll + ts.tv_nsec - namespace_offset(clockid);
}

int64_t clock__to_realtime(int clockid, uint64_t time_ns)
{
	uint64_t now_ns = clock__now(clockid);
	int64_t real_ns = clock__now(CLOCK_REALTIME);

	return time_ns && time_ns < now_ns && now_ns - time_ns < (uint64_t)real_ns
		       ? real_ns - (int64_t)(now_ns - time_ns)
		       : real_ns;
}

int64_t clock__coarse_offset(void)
{
	int64_t monotonic, real, again = clock__now(CLOCK_REALTIME_COARSE);

	/*
	 * Both clocks tick together, so a reading between two equal readings is of the same tick.
	 */
	do {
		real = again;
		monotonic = clock__now(CLOCK_MONOTONIC_COARSE);
		again = clock__now(CLOCK_REALTIME_COARSE);
	} while (again != real);
	return real - monotonic;
}

int64_t clock__tai_offset(void)
{
	return (int64_t)(clock__now(CLOCK_TAI) / 1000000000) -
	       (int64_t)(clock__now(CLOCK_REALTIME) / 1000000000);
}

int clock__watch(void)
{
	/* The timer never expires, but is cancelled. */
	const struct itimerspec never = {.it_value.tv_sec = INT64_MAX / 1000000000};
	int fd = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK), code;

	if (fd < 0)
		return -errno;
	if (!timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL))
		return fd;
	code = -errno;
	close(fd);
	return code;
}

bool clock__was_set(int fd)
{
	uint64_t expired;

	return read(fd, &expired, sizeof(expired)) == sizeof(expired) || errno == ECANCELED;
}

/* Uses the best of several tries, because the process may be preempted between two readings. */
static struct clock_pair compare(int clockid)
{
	struct clock_pair best = {0};
	int64_t least = INT64_MAX, start, other, end;
	int i;

	for (i = 0; i < TRIES; i++) {
		start = clock__now(CLOCK_MONOTONIC);
		other = clock__now(clockid);
		end = clock__now(CLOCK_MONOTONIC);
		if (end - start >= least)
			continue;
		least = end - start;
		best.monotonic_ns = start + least / 2;
		best.offset_ns = other - best.monotonic_ns;
	}
	return best;
}

void clock_conversion__init(struct clock_conversion *conversion, int clockid)
{
	conversion->clockid = clockid;
	conversion->now = compare(clockid);
	conversion->before = conversion->now;
}

void clock_conversion__compare(struct clock_conversion *conversion)
{
	if (conversion->clockid == CLOCK_MONOTONIC)
		return;
	conversion->before = conversion->now;
	conversion->now = compare(conversion->clockid);
}

uint64_t clock_conversion__from_monotonic(
	const struct clock_conversion *conversion, uint64_t monotonic_ns)
{
	const struct clock_pair *before = &conversion->before, *now = &conversion->now;
	int64_t span, at, offset;

	if (conversion->clockid == CLOCK_MONOTONIC)
		return monotonic_ns;
	span = now->monotonic_ns - before->monotonic_ns;
	at = (int64_t)monotonic_ns - before->monotonic_ns;
	if (span <= 0 || at <= 0)
		offset = before->offset_ns;
	else if (at >= span)
		offset = now->offset_ns;
	else
		offset = before->offset_ns +
			 (int64_t)((double)(now->offset_ns - before->offset_ns) * at / span);
	return monotonic_ns + offset;
}
