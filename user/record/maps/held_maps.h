/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Map records that wait for their identity, which the completer reads meanwhile. A record
 * must be in the file in its own round, or perf does not resolve the samples in it. So it
 * waits briefly, and is then written without an identity. If the identity is read later, it
 * is written as a second record of the same mapping, if that still exists.
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
	HELD_DONE,       /* @event is as complete as possible */
	HELD_UNFINISHED, /* @event is written without the result */
	/*
	 * The identity of a record that was written as HELD_UNFINISHED. Its time, in
	 * CLOCK_MONOTONIC, is one at which the mapping still existed.
	 */
	HELD_LATE,
};

/*
 * Writes @event, which is invalid after the call. @before is the identity that it had before: when
 * it was written (HELD_LATE), or when it was held. @code is why completion failed, or 0. Returns 0,
 * or -errno, which ends the walk and is returned.
 */
typedef int held_map_fn(void *ctx, struct event *event, enum held_outcome outcome,
	const struct perfstamp_identity *before, int code);

/*
 * The caller owns @completer and @cgroups (or NULL), which must outlive the result. The times of
 * held events are of @clockid. Returns 0 or -ENOMEM.
 */
int held_maps__new(struct held_maps **ret, struct completer *completer,
	const struct cgroup_paths *cgroups, int clockid, held_map_fn *fn, void *ctx);
void held_maps__free(struct held_maps *held);

/* Limits the total time for which held_maps__settle may wait from now on. */
void held_maps__allow(struct held_maps *held, int wait_ms);

/*
 * Copies @event, a map, and requests its identity. If there is no room, settles the held records.
 * Returns 0; 1 if @event should not be held, because its device does not answer; or -errno.
 */
int held_maps__hold(struct held_maps *held, const struct event *event);

/*
 * Writes all held records. @last: also waits for the identities of records that were written
 * without one. Returns 0 or -errno.
 */
int held_maps__settle(struct held_maps *held, bool last);

/* Number of records that were written unfinished, and whose identity is still missing. */
unsigned int held_maps__n_unanswered(const struct held_maps *held);

#endif
