/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Map records that wait for their identity, which the completer reads meanwhile.
 * A record must reach the file in its own round, or perf takes the samples in it
 * for unknown: so it waits a little, and is then written without it. What follows later
 * goes out as a second record of the same mapping, if that is still there.
 */
#ifndef PERFSTAMP_RECORD_HELD_MAPS_H
#define PERFSTAMP_RECORD_HELD_MAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/event/event.h"

struct completer;
struct cgroup_paths;
struct held_maps;

enum held_outcome {
	HELD_DONE,       /* @event has all that could be known */
	HELD_UNFINISHED, /* it goes out as it came */
	/*
	 * The identity of one that was written as HELD_UNFINISHED. Its time is when
	 * the mapping was seen to be there still, in CLOCK_MONOTONIC.
	 */
	HELD_LATE,
};

/*
 * Writes @event, which is gone after it; @before is the identity with which it
 * was written before (HELD_LATE) or came. @code is why completion failed, or 0.
 * Returns 0 or -errno, which ends the walk and is returned.
 */
typedef int held_map_fn(void *ctx, struct event *event, enum held_outcome outcome,
	const struct perfstamp_identity *before, int code);

/*
 * @completer and @cgroups (or NULL) are the caller's and must outlive it. The times of the events
 * that are held are of
 * @clockid. Returns 0 or -ENOMEM.
 */
int held_maps__new(struct held_maps **ret, struct completer *completer,
	const struct cgroup_paths *cgroups, int clockid, held_map_fn *fn, void *ctx);
void held_maps__free(struct held_maps *held);

/* So long may held_maps__settle wait from now on, in all. */
void held_maps__allow(struct held_maps *held, int wait_ms);

/*
 * Takes a copy of @event, a map, and has its identity read. Where there is no room it
 * settles those that exist. Returns 0; 1 if it is of no use to hold it, because its device
 * does not answer; or -errno.
 */
int held_maps__hold(struct held_maps *held, const struct event *event);

/*
 * Writes all that are held. @last: waits for those that were written unfinished,
 * too. Returns 0 or -errno.
 */
int held_maps__settle(struct held_maps *held, bool last);

/* Those that were written unfinished and of which nothing has been heard since. */
unsigned int held_maps__n_unanswered(const struct held_maps *held);

#endif
