// SPDX-License-Identifier: GPL-2.0-only
/*
 * lives: see lives.h.
 *
 * A place is a path in one mount namespace: the same path in another container is another file. The
 * current content of a place is the one that was mapped there last. A mapping of another content is
 * a switch. A build that still runs after a switch is outdated until it is mapped again. There is
 * no switch to or from a content without an identity, since nothing proves that the two differ.
 *
 * The number of spans is limited: beyond the limit, the two with the shortest gap are joined.
 */
#include "user/model/lives.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/base/hash.h"
#include "user/event/identity.h"

#define SPANS_MAX 64u
#define STILL UINT64_MAX /* the end of a span that has not ended */

struct spans {
	struct model_span *v; /* by time */
	uint32_t n;
	uint32_t room;
	uint64_t merged;
};

struct life {
	struct spans mapped;
	struct spans outdated;
	struct model_switch *switches; /* in order of appearance */
	uint32_t n_switches;
	uint64_t n_all_switches;
	uint32_t n_current; /* number of places whose current content it is */
};

struct path {
	const char *name;
	uint64_t index;
	struct place *newest;
	UT_hash_handle hh;
};

struct place {
	uint64_t key; /* the index of the path, and the namespace */
	const struct sighting *current;
	const struct sighting *previous; /* or NULL */
	uint64_t since_ns;
	bool ambiguous; /* several contents were mapped there before recording */
	UT_hash_handle hh;
};

struct lives {
	struct life *v; /* by sighting */
	size_t n;
	struct path *paths;
	uint64_t n_paths;
	struct place *places;
	bool failed;
};

int lives__new(struct lives **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? 0 : -ENOMEM;
}

void lives__free(struct lives *lives)
{
	if (!lives)
		return;
	hash__free(lives->places);
	hash__free(lives->paths);
	for (size_t i = 0; i < lives->n; i++) {
		free(lives->v[i].mapped.v);
		free(lives->v[i].outdated.v);
		free(lives->v[i].switches);
	}
	free(lives->v);
	free(lives);
}

int lives__error(const struct lives *lives)
{
	return lives->failed ? -ENOMEM : 0;
}

/* NULL: no memory; lives__error() then returns -ENOMEM. */
static struct life *life_of(struct lives *lives, uint32_t i)
{
	if (array__reach(&lives->v, &lives->n, i, sizeof(*lives->v))) {
		lives->failed = true;
		return NULL;
	}
	return &lives->v[i];
}

/* ---- Spans ---- */

static void remove_gap(struct spans *spans, uint32_t behind)
{
	spans->v[behind].end_ns = spans->v[behind + 1].end_ns;
	memmove(spans->v + behind + 1, spans->v + behind + 2,
		(spans->n - behind - 2) * sizeof(*spans->v));
	spans->n--;
}

static void close_shortest_gap(struct spans *spans)
{
	uint64_t shortest = UINT64_MAX;
	uint32_t behind = 0;

	for (uint32_t i = 0; i + 1 < spans->n; i++) {
		uint64_t gap = spans->v[i + 1].begin_ns - spans->v[i].end_ns;

		if (gap < shortest) {
			shortest = gap;
			behind = i;
		}
	}
	remove_gap(spans, behind);
	spans->merged++;
}

/* Returns 0 or -ENOMEM. */
static int begin_span(struct spans *spans, uint64_t time_ns)
{
	struct model_span *last = spans->n ? &spans->v[spans->n - 1] : NULL;

	if (last && last->end_ns >= time_ns) { /* no gap, or none that is known */
		last->end_ns = STILL;
		return 0;
	}
	/* Room for one more than the limit: the newest gap may be the shortest. */
	if (!spans->v || spans->n == spans->room) {
		uint32_t room = spans->room ? 2 * spans->room : 2;
		struct model_span *v;

		room = room > SPANS_MAX ? SPANS_MAX + 1 : room;
		v = reallocarray(spans->v, room, sizeof(*v));
		if (!v)
			return -ENOMEM;
		spans->v = v;
		spans->room = room;
	}
	spans->v[spans->n++] = (struct model_span){time_ns, STILL};
	if (spans->n > SPANS_MAX)
		close_shortest_gap(spans);
	return 0;
}

static void end_span(struct spans *spans, uint64_t time_ns)
{
	struct model_span *last = spans->n ? &spans->v[spans->n - 1] : NULL;

	if (last && last->end_ns == STILL)
		last->end_ns = time_ns > last->begin_ns ? time_ns : last->begin_ns;
}

void lives__begin(struct lives *lives, uint32_t i, uint64_t time_ns)
{
	struct life *life = life_of(lives, i);

	if (life && begin_span(&life->mapped, time_ns))
		lives->failed = true;
}

void lives__end(struct lives *lives, uint32_t i, uint64_t time_ns)
{
	struct life *life = life_of(lives, i);

	if (life)
		end_span(&life->mapped, time_ns);
}

void lives__was_there(struct lives *lives, uint32_t i, uint64_t time_ns)
{
	struct spans *spans = i < lives->n ? &lives->v[i].mapped : NULL;

	if (!spans || !spans->n || spans->v[spans->n - 1].end_ns != STILL)
		return;
	while (spans->n > 1 && spans->v[spans->n - 2].end_ns >= time_ns)
		remove_gap(spans, spans->n - 2);
	if (spans->v[spans->n - 1].begin_ns > time_ns)
		spans->v[spans->n - 1].begin_ns = time_ns;
}

/* ---- Places ---- */

bool lives__is_file(const char *path)
{
	static const char *const NOT[] = {
		"//", "/memfd:", "/SYSV", "/dev/", "/anon_hugepage", "/[", "/proc/"};

	if (path[0] != '/')
		return false;
	for (size_t i = 0; i < sizeof(NOT) / sizeof(*NOT); i++)
		if (!strncmp(path, NOT[i], strlen(NOT[i])))
			return false;
	return true;
}

static bool is_identified(const struct sighting *sighting)
{
	return sighting->identity.build_id_size || sighting->identity.cookie_size;
}

/* If the cookie is missing on one side, nothing proves a difference. */
static bool is_same_content(const struct sighting *a, const struct sighting *b)
{
	const struct perfstamp_identity *x = &a->identity, *y = &b->identity;
	bool both = x->cookie_size && y->cookie_size;

	return identity__same_build_id(x, y) && (!both || identity__same_cookie(x, y));
}

static struct path *path_of(struct lives *lives, const char *name)
{
	struct path *path;

	HASH_FIND_STR(lives->paths, name, path);
	if (path)
		return path;
	path = calloc(1, sizeof(*path));
	if (!path)
		return NULL;
	path->name = name;
	path->index = lives->n_paths++;
	HASH_ADD_KEYPTR(hh, lives->paths, name, strlen(name), path);
	if (hash__added(path))
		return path;
	free(path);
	return NULL;
}

/* A namespace's inode number has 32 bits. */
static uint64_t place_key(const struct path *path, uint32_t mnt_ns)
{
	return path->index << 32 | mnt_ns;
}

static struct place *find_place(const struct lives *lives, const struct path *path, uint32_t mnt_ns)
{
	uint64_t key = place_key(path, mnt_ns);
	struct place *place;

	HASH_FIND(hh, lives->places, &key, sizeof(key), place);
	return place;
}

static bool add_place(struct lives *lives, struct place *place)
{
	HASH_ADD(hh, lives->places, key, sizeof(place->key), place);
	return hash__added(place);
}

/*
 * Returns the place of @path in @mnt_ns. If the namespace is not known, returns the place of @path
 * that was used last. If there is none, adds a place, which gets the next namespace that is known.
 * NULL: no memory.
 */
static struct place *place_of(struct lives *lives, struct path *path, uint32_t mnt_ns)
{
	struct place *place = find_place(lives, path, mnt_ns);

	if (!place && !mnt_ns)
		place = path->newest;
	if (!place && mnt_ns) {
		place = find_place(lives, path, 0);
		if (place) {
			HASH_DEL(lives->places, place);
			place->key = place_key(path, mnt_ns);
			if (!add_place(lives, place)) {
				path->newest = NULL;
				free(place);
				return NULL;
			}
		}
	}
	if (!place) {
		place = calloc(1, sizeof(*place));
		if (!place)
			return NULL;
		place->key = place_key(path, mnt_ns);
		if (!add_place(lives, place)) {
			free(place);
			return NULL;
		}
	}
	path->newest = place;
	return place;
}

/* ---- Switches ---- */

static int add_switch(struct life *life, uint64_t time_ns, const struct sighting *replaced)
{
	if (life->n_switches < SPANS_MAX) {
		if (array__extend(&life->switches, life->n_switches, sizeof(*life->switches)))
			return -ENOMEM;
		life->switches[life->n_switches++] = (struct model_switch){
			time_ns, replaced->index};
	}
	life->n_all_switches++;
	return 0;
}

static int make_outdated(struct life *life, uint64_t time_ns)
{
	return life->n_current ? 0 : begin_span(&life->outdated, time_ns);
}

/* Makes @sighting the current content of @place from @time_ns on. */
static int set_current(
	struct lives *lives, struct place *place, const struct sighting *sighting, uint64_t time_ns)
{
	struct life *life = life_of(lives, sighting->index);

	if (!life)
		return -ENOMEM;
	if (place->current)
		lives->v[place->current->index].n_current--;
	if (!life->n_current++)
		end_span(&life->outdated, time_ns);
	place->previous = place->current;
	place->current = sighting;
	place->since_ns = time_ns;
	return 0;
}

/* Adds a mapping that is known only now, but was made before the current content took over. */
static int insert_before(
	struct lives *lives, struct place *place, const struct sighting *sighting, uint64_t time_ns)
{
	struct life *life;

	if (!place->previous || is_same_content(place->previous, sighting))
		return 0;
	life = life_of(lives, sighting->index);
	if (!life || add_switch(life, time_ns, place->previous) ||
		make_outdated(life, place->since_ns))
		return -ENOMEM;
	place->previous = sighting;
	return 0;
}

/* A switch shows which of the contents from before the recording is the newer one. */
static int resolve(struct lives *lives, struct place *place, uint64_t time_ns)
{
	place->ambiguous = false;
	return place->previous ? make_outdated(&lives->v[place->previous->index], time_ns) : 0;
}

static int switch_to(
	struct lives *lives, struct place *place, const struct sighting *sighting, uint64_t time_ns)
{
	struct life *life = life_of(lives, sighting->index);
	bool was_before = place->ambiguous && !sighting->first_ns;

	if (!life || (!was_before && add_switch(life, time_ns, place->current)) ||
		set_current(lives, place, sighting, time_ns))
		return -ENOMEM;
	return resolve(lives, place, time_ns);
}

static int mapped(struct lives *lives, struct place *place, const struct sighting *sighting,
	uint64_t time_ns, bool snapshot)
{
	if (!place->current)
		return set_current(lives, place, sighting, time_ns);
	if (is_same_content(place->current, sighting))
		return place->ambiguous && time_ns && !snapshot ? resolve(lives, place, time_ns)
								: 0;
	if (!time_ns) {
		place->ambiguous = true;
		return set_current(lives, place, sighting, 0);
	}
	if (snapshot && sighting->mappings)
		return 0;
	if (time_ns < place->since_ns)
		return insert_before(lives, place, sighting, time_ns);
	return switch_to(lives, place, sighting, time_ns);
}

void lives__mapped(struct lives *lives, const struct sighting *sighting, uint32_t mnt_ns,
	uint64_t time_ns, bool snapshot)
{
	struct path *path;
	struct place *place;

	/* Two memfds can have one name, and so can the vDSOs of two kinds of processes. */
	if (!is_identified(sighting) || (!sighting->kernel && !lives__is_file(sighting->path)))
		return;
	path = path_of(lives, sighting->path);
	place = path ? place_of(lives, path, mnt_ns) : NULL;
	if (!place || mapped(lives, place, sighting, time_ns, snapshot))
		lives->failed = true;
}

void lives__get(const struct lives *lives, uint32_t i, struct sighting_lives *ret)
{
	const struct life *life;

	memset(ret, 0, sizeof(*ret));
	if (i >= lives->n)
		return;
	life = &lives->v[i];
	ret->mapped = life->mapped.v;
	ret->n_mapped = life->mapped.n;
	ret->n_merged = life->mapped.merged;
	ret->outdated = life->outdated.v;
	ret->n_outdated = life->outdated.n;
	ret->switches = life->switches;
	ret->n_switches = life->n_switches;
	ret->n_all_switches = life->n_all_switches;
}
