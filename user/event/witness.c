// SPDX-License-Identifier: GPL-2.0-only
/* See witness.h. */
#include "user/event/witness.h"

#define NS_PER_S 1000000000ll

/* How far times of unknown granularity can be behind the clock: FAT has two seconds. */
#define ROUGH_NS (2 * NS_PER_S)

/* By how much other times can be behind the clock: WITNESS_LATE_NS of bpf/witness.h. */
#define LATE_NS 100000000ll

/* Times after the year 2262 are replaced by the largest representable time. */
static int64_t to_ns(uint64_t sec, uint32_t nsec)
{
	int64_t max_sec = INT64_MAX / NS_PER_S - 4;

	if ((int64_t)sec > max_sec)
		return max_sec * NS_PER_S;
	if ((int64_t)sec < -max_sec)
		return -max_sec * NS_PER_S;
	return (int64_t)sec * NS_PER_S + nsec;
}

/* The oldest time that a write after @mapped was read can have set. */
static int64_t oldest_write(
	const struct perfstamp_witness *mapped, const struct witness_clock *clock)
{
	int64_t tick_ns = (int64_t)mapped->clock_ns + clock->offset_ns;

	return mapped->granularity_ns ? tick_ns - tick_ns % mapped->granularity_ns
				      : tick_ns - ROUGH_NS;
}

/* Whether a write after @mapped was read can have set this time. */
static bool may_be_of_a_write(
	int64_t time_ns, const struct perfstamp_witness *mapped, const struct witness_clock *clock)
{
	return time_ns >= oldest_write(mapped, clock) && time_ns <= clock->now_ns;
}

enum witnessed witness__compare(const struct perfstamp_witness *mapped,
	const struct perfstamp_witness *later, bool unlinked, const struct witness_clock *clock)
{
	bool same_mtime = mapped->mtime_sec == later->mtime_sec &&
			  mapped->mtime_nsec == later->mtime_nsec;
	bool same_ctime = mapped->ctime_sec == later->ctime_sec &&
			  mapped->ctime_nsec == later->ctime_nsec;
	int64_t time_ns = same_ctime ? to_ns(mapped->ctime_sec, mapped->ctime_nsec)
				     : to_ns(mapped->mtime_sec, mapped->mtime_nsec);

	if (!same_mtime || (!same_ctime && !unlinked))
		return WITNESSED_WRITTEN;
	if (mapped->flags & PERFSTAMP_WITNESS_WRITABLE)
		return WITNESSED_DOUBT;
	if (mapped->flags & PERFSTAMP_WITNESS_QUERIED && mapped->granularity_ns == 1)
		return WITNESSED_UNWRITTEN;
	if (mapped->flags & later->flags & PERFSTAMP_WITNESS_DENIED)
		return WITNESSED_UNWRITTEN;
	return may_be_of_a_write(time_ns, mapped, clock) ? WITNESSED_DOUBT : WITNESSED_UNWRITTEN;
}

int64_t witness__last_write(int64_t sec, uint32_t nsec)
{
	return to_ns(sec, nsec) + LATE_NS + (nsec ? 0 : ROUGH_NS);
}
