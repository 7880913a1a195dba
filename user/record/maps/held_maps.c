// SPDX-License-Identifier: GPL-2.0-only
/* See held_maps.h. */
#include "user/record/maps/held_maps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "user/helper/fair.h"
#include "user/source/containers/cgroup_owner.h"
#include "user/source/machine/clock.h"
#include "user/source/content/completer.h"
#include "user/source/content/completion.h"

#define HELD_MAX 2048

struct held_map {
	struct event event; /* owns its path; NULL: the place is free */
	uint32_t owner;     /* owner of its cgroup */
	uint32_t serial;    /* distinguishes records that used this place in turn */
	bool late;          /* it was written without an identity */
};

struct held_maps {
	struct completer *completer;
	int clockid;
	held_map_fn *fn;
	void *ctx;
	uint64_t wait_left_ns;
	uint64_t kept_ns; /* of .wait_left_ns, only for held_maps__settle() */
	struct fair_places places;
	struct cgroup_owners owners;
	unsigned int n_late; /* number of places with .late */
	unsigned int next;   /* where the search for a free place begins */
	uint32_t serial;
	int code; /* first result of @fn that is not 0, until it is returned */
	struct held_map maps[HELD_MAX];
};

int held_maps__new(struct held_maps **ret, struct completer *completer,
	const struct cgroup_paths *cgroups, int clockid, held_map_fn *fn, void *ctx)
{
	struct held_maps *held = calloc(1, sizeof(*held));

	*ret = held;
	if (!held)
		return -ENOMEM;
	held->completer = completer;
	held->owners.paths = cgroups;
	held->clockid = clockid;
	held->fn = fn;
	held->ctx = ctx;
	return 0;
}

static void release(struct held_maps *held, struct held_map *map)
{
	free((void *)map->event.map.path);
	map->event.map.path = NULL;
	fair_places__give_back(&held->places, map->owner);
	held->n_late -= map->late;
	map->late = false;
}

void held_maps__free(struct held_maps *held)
{
	struct held_map *map;

	if (!held)
		return;
	for (map = held->maps; map < held->maps + HELD_MAX; map++)
		if (map->event.map.path)
			release(held, map);
	free(held);
}

void held_maps__allow(struct held_maps *held, int wait_ms)
{
	held->wait_left_ns = wait_ms * 1000000ull;
	held->kept_ns = held->wait_left_ns / 2;
}

/* A recording can go on after an error, so the next call must not return it again. */
static int take_code(struct held_maps *held)
{
	int code = held->code;

	held->code = 0;
	return code;
}

static void put(struct held_maps *held, struct held_map *map, enum held_outcome outcome,
	const struct perfstamp_identity *before, int code)
{
	int failed = held->fn(held->ctx, &map->event, outcome, before, code);

	if (!held->code)
		held->code = failed;
}

static void on_result(const struct completion_result *result, void *ctx)
{
	struct held_maps *held = ctx;
	struct held_map *map = &held->maps[result->token % HELD_MAX];
	struct perfstamp_identity before = map->event.map.identity;

	if (!map->event.map.path || map->serial != result->token / HELD_MAX)
		return;
	/* The result also has the reason why it was not read. */
	map->event.map.identity = result->identity;
	if (!map->late) {
		put(held, map, HELD_DONE, &before, result->code);
	} else if (!result->code && result->alive_ns) {
		map->event.time_ns = result->alive_ns;
		put(held, map, HELD_LATE, &before, 0);
	}
	release(held, map);
}

/*
 * Waits until all identities are known, the time is over, or the remaining devices do not
 * answer.
 */
static int wait_for_results(struct held_maps *held, bool last)
{
	uint64_t begin_ns = clock__now(CLOCK_MONOTONIC), waited_ns = 0;
	int wait_ms = 0, code;

	for (;;) {
		code = completer__collect(held->completer, wait_ms, on_result, held);
		if (!code)
			code = take_code(held);
		if (code)
			return code;
		waited_ns = clock__now(CLOCK_MONOTONIC) - begin_ns;
		if (waited_ns >= held->wait_left_ns ||
			held->places.taken == (last ? 0 : held->n_late) ||
			!completer__n_waiting(held->completer))
			break;
		/* Not longer, in order to notice that a helper hangs. */
		wait_ms = (held->wait_left_ns - waited_ns) / 1000000 + 1;
		wait_ms = wait_ms < 100 ? wait_ms : 100;
	}
	held->wait_left_ns -= waited_ns < held->wait_left_ns ? waited_ns : held->wait_left_ns;
	return 0;
}

int held_maps__settle(struct held_maps *held, bool last)
{
	struct held_map *map;
	int code;

	if (!held->places.taken)
		return 0;
	code = wait_for_results(held, last);
	if (code || held->places.taken == held->n_late)
		return code;
	for (map = held->maps; map < held->maps + HELD_MAX && !held->code; map++) {
		if (!map->event.map.path || map->late)
			continue;
		put(held, map, HELD_UNFINISHED, &map->event.map.identity, 0);
		map->late = true;
		held->n_late++;
	}
	return take_code(held);
}

/*
 * Called if an owner has used all its places. Settles only the records of this owner, in at most
 * half of the remaining time.
 */
static int wait_for_place(struct held_maps *held)
{
	uint64_t kept_ns = held->wait_left_ns < held->kept_ns ? held->wait_left_ns : held->kept_ns;
	int code;

	held->wait_left_ns -= kept_ns;
	code = wait_for_results(held, false);
	held->wait_left_ns += kept_ns;
	return code;
}

static struct held_map *find_room(struct held_maps *held)
{
	unsigned int i;

	for (i = 0; i < HELD_MAX; i++) {
		struct held_map *map = &held->maps[held->next++ % HELD_MAX];

		if (!map->event.map.path)
			return map;
	}
	return NULL;
}

int held_maps__hold(struct held_maps *held, const struct event *event)
{
	const struct completion_mapping mapping = {
		.pid = event->pid,
		.addr = event->map.addr,
		.len = event->map.len,
		.mapped_ns = clock__to_realtime(held->clockid, event->time_ns),
		.witness = event->map.witness,
		.vdso = !strcmp(event->map.path, "[vdso]"),
	};
	uint32_t owner = cgroup_owners__find(&held->owners, event->map.identity.cgroup_id).number;
	struct held_map *map;
	int code;

	if (!fair_places__may_take(&held->places, owner, HELD_MAX)) {
		code = wait_for_place(held);
		if (code)
			return code;
	}
	map = fair_places__may_take(&held->places, owner, HELD_MAX) ? find_room(held) : NULL;
	if (!map)
		return 1;
	map->event = *event;
	map->event.map.path = strdup(event->map.path);
	if (!map->event.map.path)
		return -ENOMEM;
	map->owner = owner;
	map->serial = ++held->serial;
	fair_places__take(&held->places, map->owner);
	code = completer__submit(held->completer,
		(uint64_t)map->serial * HELD_MAX + (map - held->maps), owner, &mapping,
		&event->map.identity);
	if (!code)
		return 0;
	release(held, map);
	return code == -EBUSY || code == -EAGAIN ? 1 : code;
}

unsigned int held_maps__n_unanswered(const struct held_maps *held)
{
	return held->n_late;
}
