// SPDX-License-Identifier: GPL-2.0-only
/*
 * replaced: see replaced.h.
 *
 * Only a new mapping shows the current content of a path. A mapping from a snapshot or a late
 * record may be older than the current content; it counts until more is known. A mapping whose
 * record arrives after the path was read may be older, too. A mapping of an unlinked file shows
 * nothing about the path.
 *
 * A file that was written in place is not a replacement: existing mappings show the new content,
 * too.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/base/hash.h"
#include "user/model/replaced/differ.h"
#include "user/model/replaced/replaced.h"

#define PIDS_MAX 1024
#define CGROUPS_MAX 64

/* The state of one path in one mount namespace. */
struct place {
	struct perfstamp_identity now;
	bool known; /* .now is known, or that the file is missing */
	bool gone;
	bool likely; /* known only from a snapshot: the next map may be newer */
	bool mapped;
	bool used; /* marked while trimming */
	uint64_t since_ns;
	UT_hash_handle hh;
	size_t key_size;
	struct place_key {
		uint32_t mnt_ns;
		char path[]; /* without its NUL */
	} key;
};

/* The processes that map a sighting in one mount namespace. */
struct holders {
	uint64_t key; /* see key_of */
	uint32_t mnt_ns;
	uint32_t sighting;
	uint32_t newest_pid;
	size_t n_mappings;
	size_t n_processes;
	size_t n_threads;
	size_t n_pids;
	size_t n_cgroups;
	uint32_t *pids; /* at most PIDS_MAX */
	uint64_t cgroups[CGROUPS_MAX];
	UT_hash_handle hh;
};

struct unlinked {
	uint64_t key;
	uint64_t since_ns;
	bool compared; /* its code was compared and is known to be outdated */
	bool used;
	UT_hash_handle hh;
};

struct replaced {
	const struct model *model;
	struct place *places;
	struct unlinked *unlinked;
	struct place_key *scratch;
	size_t scratch_room;
	replaced_check_fn *check; /* NULL: the model is not verified */
	void *check_ctx;
};

static uint64_t key_of(uint32_t mnt_ns, uint32_t sighting)
{
	return (uint64_t)mnt_ns << 32 | sighting;
}

int replaced__new(struct replaced **ret, const struct model *model)
{
	*ret = calloc(1, sizeof(**ret));
	if (!*ret)
		return -ENOMEM;
	(*ret)->model = model;
	return 0;
}

void replaced__check_by(struct replaced *replaced, replaced_check_fn *fn, void *ctx)
{
	replaced->check = fn;
	replaced->check_ctx = ctx;
}

void replaced__free(struct replaced *replaced)
{
	if (!replaced)
		return;
	hash__free(replaced->places);
	hash__free(replaced->unlinked);
	free(replaced->scratch);
	free(replaced);
}

static struct place_key *make_key(
	struct replaced *replaced, uint32_t mnt_ns, const char *path, size_t *ret_size)
{
	size_t size = sizeof(struct place_key) + strlen(path);
	struct place_key *key;

	if (array__reserve(&replaced->scratch, &replaced->scratch_room, size, 1))
		return NULL;
	key = replaced->scratch;
	key->mnt_ns = mnt_ns;
	memcpy(key->path, path, strlen(path));
	*ret_size = size;
	return key;
}

/*
 * Sets *@ret to the place, or to NULL if it is not known and @make is false. Returns 0 or -ENOMEM.
 */
static int find_place(
	struct replaced *replaced, uint32_t mnt_ns, const char *path, bool make, struct place **ret)
{
	size_t size;
	struct place_key *key = make_key(replaced, mnt_ns, path, &size);

	if (!key)
		return -ENOMEM;
	HASH_FIND(hh, replaced->places, key, size, *ret);
	if (*ret || !make)
		return 0;
	*ret = calloc(1, sizeof(**ret) + strlen(path));
	if (!*ret)
		return -ENOMEM;
	(*ret)->key_size = size;
	memcpy(&(*ret)->key, key, size);
	HASH_ADD_KEYPTR(hh, replaced->places, &(*ret)->key, size, *ret);
	if (hash__added(*ret))
		return 0;
	free(*ret);
	return -ENOMEM;
}

static void free_holders(struct holders *all)
{
	struct holders *holders, *next;

	HASH_ITER (hh, all, holders, next) {
		HASH_DEL(all, holders);
		free(holders->pids);
		free(holders);
	}
}

struct collecting {
	struct replaced *replaced;
	uint32_t mnt_ns;
	const char *path; /* only this path; NULL: all paths */
	bool checked;     /* only mappings of .sighting that exist according to .replaced->check */
	uint32_t sighting;
	struct holders *all;
};

static int get_holders(
	struct collecting *collecting, const struct model_mapping *mapping, struct holders **ret)
{
	uint64_t key = key_of(mapping->mnt_ns, mapping->sighting);

	HASH_FIND(hh, collecting->all, &key, sizeof(key), *ret);
	if (*ret)
		return 0;
	*ret = calloc(1, sizeof(**ret));
	if (!*ret)
		return -ENOMEM;
	(*ret)->key = key;
	(*ret)->mnt_ns = mapping->mnt_ns;
	(*ret)->sighting = mapping->sighting;
	HASH_ADD(hh, collecting->all, key, sizeof(key), *ret);
	if (hash__added(*ret))
		return 0;
	free(*ret);
	return -ENOMEM;
}

static void add_cgroup(struct holders *holders, uint64_t id)
{
	size_t i;

	if (!id)
		return;
	for (i = 0; i < holders->n_cgroups && holders->cgroups[i] != id; i++)
		;
	if (i == holders->n_cgroups && i < CGROUPS_MAX)
		holders->cgroups[holders->n_cgroups++] = id;
}

static int collect_mapping(const struct model_mapping *mapping, void *ctx)
{
	struct collecting *collecting = ctx;
	const struct replaced *replaced = collecting->replaced;
	const struct sighting *sighting = model__sighting_so_far(
		replaced->model, mapping->sighting);
	struct holders *holders;
	int err;

	if (!replaced__concerns(sighting))
		return 0;
	if (collecting->path && (mapping->mnt_ns != collecting->mnt_ns ||
					strcmp(sighting->path, collecting->path) != 0))
		return 0;
	if (collecting->checked && (mapping->sighting != collecting->sighting ||
					   !replaced->check(replaced->check_ctx, mapping)))
		return 0;
	err = get_holders(collecting, mapping, &holders);
	if (err)
		return err;
	holders->n_mappings++;
	/* The mappings of a process follow one another. */
	if (holders->n_processes && holders->newest_pid == mapping->pid)
		return 0;
	holders->newest_pid = mapping->pid;
	holders->n_processes++;
	holders->n_threads += mapping->n_threads;
	add_cgroup(holders, mapping->cgroup_id);
	if (holders->n_pids == PIDS_MAX)
		return 0;
	if (array__extend(&holders->pids, holders->n_pids, sizeof(*holders->pids)))
		return -ENOMEM;
	holders->pids[holders->n_pids++] = mapping->pid;
	return 0;
}

/* Whether the content of @holders is outdated. */
static bool is_replaced(const struct replaced *replaced, const struct holders *holders,
	const struct sighting *old, const struct place *place, struct replacement *ret)
{
	struct unlinked *unlinked;

	memset(ret, 0, sizeof(*ret));
	ret->since_ns = place ? place->since_ns : 0;
	if (place && place->known && place->gone) {
		ret->kind = REPLACED_GONE;
		return true;
	}
	HASH_FIND(hh, replaced->unlinked, &holders->key, sizeof(holders->key), unlinked);
	/* Of two contents from before the recording, it is not known which is older. */
	if (place && place->known && !place->likely) {
		if (!replaced__differ(&old->identity, &place->now) &&
			!(unlinked && unlinked->compared))
			return false;
		ret->kind = REPLACED_CONTENT;
		ret->now = place->now;
		ret->mapped = place->mapped;
		ret->same_build_id = replaced__have_one_build_id(&old->identity, &place->now);
		return true;
	}
	if (!unlinked)
		return false;
	ret->kind = REPLACED_UNLINKED;
	ret->since_ns = unlinked->since_ns;
	return true;
}

/* Completes @replacement with the processes that map the old content, and calls @fn. */
static int report_one(const struct holders *holders, const struct sighting *old,
	struct replacement replacement, replaced_fn *fn, void *ctx)
{
	replacement.path = old->path;
	replacement.mnt_ns = holders->mnt_ns;
	replacement.old = holders->sighting;
	replacement.n_processes = holders->n_processes;
	replacement.n_threads = holders->n_threads;
	replacement.n_pids = holders->n_pids;
	replacement.pids = holders->pids;
	replacement.n_cgroups = holders->n_cgroups;
	replacement.cgroups = holders->cgroups;
	return fn(ctx, &replacement);
}

static int report_changed(
	struct replaced *replaced, const struct holders *holders, replaced_fn *fn, void *ctx)
{
	const struct sighting *old = model__sighting_so_far(replaced->model, holders->sighting);
	struct collecting there = {
		.replaced = replaced,
		.mnt_ns = holders->mnt_ns,
		.path = old->path,
		.checked = true,
		.sighting = holders->sighting,
	};
	struct replacement replacement;
	struct place *place;
	int err;

	err = find_place(replaced, holders->mnt_ns, old->path, false, &place);
	if (err || !is_replaced(replaced, holders, old, place, &replacement))
		return err;
	if (!replaced->check)
		return report_one(holders, old, replacement, fn, ctx);
	err = model__for_each_mapping(replaced->model, collect_mapping, &there);
	if (!err && there.all)
		err = report_one(there.all, old, replacement, fn, ctx);
	free_holders(there.all);
	return err;
}

static int by_sighting(const struct holders *a, const struct holders *b)
{
	if (a->sighting != b->sighting)
		return a->sighting < b->sighting ? -1 : 1;
	return a->mnt_ns < b->mnt_ns ? -1 : a->mnt_ns > b->mnt_ns;
}

/* Reports one path, or all paths if @path is NULL. */
static int report_all(
	struct replaced *replaced, uint32_t mnt_ns, const char *path, replaced_fn *fn, void *ctx)
{
	struct collecting collecting = {.replaced = replaced, .mnt_ns = mnt_ns, .path = path};
	struct holders *holders;
	int err;

	if (!fn)
		return 0;
	err = model__for_each_mapping(replaced->model, collect_mapping, &collecting);
	if (!err)
		HASH_SORT(collecting.all, by_sighting);
	for (holders = collecting.all; holders && !err; holders = holders->hh.next)
		err = report_changed(replaced, holders, fn, ctx);
	free_holders(collecting.all);
	return err;
}

/*
 * Reports an outdated content that was mapped before the path changed, but is known only now. Skips
 * it if other mappings of it were known then: it was already reported.
 */
static int report_first(struct replaced *replaced, uint32_t mnt_ns, const struct sighting *sighting,
	replaced_fn *fn, void *ctx)
{
	struct collecting collecting = {
		.replaced = replaced, .mnt_ns = mnt_ns, .path = sighting->path};
	uint64_t key = key_of(mnt_ns, sighting->index);
	struct holders *holders;
	int err;

	if (!fn)
		return 0;
	err = model__for_each_mapping(replaced->model, collect_mapping, &collecting);
	HASH_FIND(hh, collecting.all, &key, sizeof(key), holders);
	if (!err && holders && holders->n_mappings == 1)
		err = report_changed(replaced, holders, fn, ctx);
	free_holders(collecting.all);
	return err;
}

int replaced__for_each(struct replaced *replaced, replaced_fn *fn, void *ctx)
{
	return report_all(replaced, 0, NULL, fn, ctx);
}

static int mark_unlinked(struct replaced *replaced, uint32_t mnt_ns, uint32_t sighting,
	uint64_t time_ns, bool *ret_new)
{
	uint64_t key = key_of(mnt_ns, sighting);
	struct unlinked *unlinked;

	HASH_FIND(hh, replaced->unlinked, &key, sizeof(key), unlinked);
	*ret_new = !unlinked;
	if (unlinked)
		return 0;
	unlinked = calloc(1, sizeof(*unlinked));
	if (!unlinked)
		return -ENOMEM;
	unlinked->key = key;
	unlinked->since_ns = time_ns;
	HASH_ADD(hh, replaced->unlinked, key, sizeof(key), unlinked);
	if (hash__added(unlinked))
		return 0;
	free(unlinked);
	return -ENOMEM;
}

/* perf has no flag for unlinked files, only the suffix that the kernel appends to the path. */
static bool is_unlinked(const struct event_map *map)
{
	static const char WORDS[] = " (deleted)";
	size_t len = strlen(map->path);

	return map->flags & PERFSTAMP_MAP_DELETED ||
	       (!map->stamped && len > strlen(WORDS) &&
		       !strcmp(map->path + len - strlen(WORDS), WORDS));
}

enum taken {
	TAKEN,         /* the content of the path has not changed */
	TAKEN_CHANGED, /* the content of the path has changed */
	TAKEN_EARLIER, /* the mapped content is older than that of the path */
};

/* Applies a mapping of a path, which shows its current or an earlier content. */
static int take_map(struct replaced *replaced, const struct sighting *sighting,
	const struct perfstamp_identity *identity, uint32_t mnt_ns, bool old, uint64_t time_ns,
	enum taken *ret)
{
	struct place *place;
	int err = find_place(replaced, mnt_ns, sighting->path, true, &place);

	*ret = TAKEN;
	if (err || !replaced__is_complete(identity))
		return err;
	if (old) {
		if (place->known)
			return 0;
		place->now = *identity;
		place->known = true;
		place->likely = true;
		place->since_ns = time_ns;
		return 0;
	}
	if (!place->known || place->gone || replaced__differ(&place->now, identity)) {
		if (place->known && !place->likely && time_ns < place->since_ns) {
			*ret = TAKEN_EARLIER;
			return 0;
		}
		place->now = *identity;
		place->since_ns = time_ns;
		*ret = TAKEN_CHANGED;
	} else if (place->likely) {
		/* Mappings of older content were reported before this change. */
		*ret = TAKEN_CHANGED;
	}
	place->known = true;
	place->gone = false;
	place->likely = false;
	place->mapped = true;
	return 0;
}

/* Returns the sighting that the model assigned to the mapping of @event. */
static const struct sighting *sighting_of(
	const struct replaced *replaced, const struct event *event)
{
	struct model_mapping mapping;

	if (!model__find_mapping(replaced->model, event->pid, event->map.addr, &mapping))
		return NULL;
	return model__sighting_so_far(replaced->model, mapping.sighting);
}

int replaced__apply(
	struct replaced *replaced, const struct event *event, replaced_fn *fn, void *ctx)
{
	const struct sighting *sighting;
	struct model_process process;
	enum taken taken;
	bool old, changed;
	int err;

	if (event->kind != EVENT_MAP || !event->map.executable || event->map.kernel ||
		!model__process(replaced->model, event->pid, &process))
		return 0;
	sighting = sighting_of(replaced, event);
	if (!sighting || !replaced__concerns(sighting))
		return 0;
	if (is_unlinked(&event->map)) {
		err = mark_unlinked(
			replaced, process.mnt_ns, sighting->index, event->time_ns, &changed);
		return err || !changed
			       ? err
			       : report_all(replaced, process.mnt_ns, sighting->path, fn, ctx);
	}
	old = event->map.flags & (PERFSTAMP_MAP_SNAPSHOT | PERFSTAMP_MAP_LATE) || !event->time_ns;
	err = take_map(replaced, sighting, &event->map.identity, process.mnt_ns, old,
		event->time_ns, &taken);
	if (err || taken == TAKEN)
		return err;
	return taken == TAKEN_EARLIER
		       ? report_first(replaced, process.mnt_ns, sighting, fn, ctx)
		       : report_all(replaced, process.mnt_ns, sighting->path, fn, ctx);
}

int replaced__stale(struct replaced *replaced, uint32_t pid, uint64_t addr, uint64_t since_ns)
{
	struct model_mapping mapping;
	struct unlinked *unlinked;
	uint64_t key;
	bool is_new;
	int err;

	if (!model__find_mapping(replaced->model, pid, addr, &mapping))
		return 0;
	err = mark_unlinked(replaced, mapping.mnt_ns, mapping.sighting, since_ns, &is_new);
	if (err)
		return err;
	key = key_of(mapping.mnt_ns, mapping.sighting);
	HASH_FIND(hh, replaced->unlinked, &key, sizeof(key), unlinked);
	if (unlinked)
		unlinked->compared = true;
	return 0;
}

int replaced__path(struct replaced *replaced, uint32_t mnt_ns, const char *path,
	const struct perfstamp_identity *now, uint64_t since_ns, replaced_fn *fn, void *ctx)
{
	struct place *place;
	bool changed;
	int err = find_place(replaced, mnt_ns, path, true, &place);

	if (err || (now && !replaced__is_complete(now)))
		return err;
	changed = !place->known || place->likely || place->gone != !now ||
		  (now && replaced__differ(&place->now, now));
	if (changed) {
		place->now = now ? *now : (struct perfstamp_identity){0};
		place->gone = !now;
		place->known = true;
		place->likely = false;
		place->mapped = false;
		place->since_ns = since_ns;
	}
	return changed ? report_all(replaced, mnt_ns, path, fn, ctx) : 0;
}

static int mark_used(const struct model_mapping *mapping, void *ctx)
{
	uint64_t key = key_of(mapping->mnt_ns, mapping->sighting);
	struct replaced *replaced = ctx;
	struct unlinked *unlinked;
	struct place *place;
	int err = find_place(replaced, mapping->mnt_ns,
		model__sighting_so_far(replaced->model, mapping->sighting)->path, false, &place);

	if (err)
		return err;
	if (place)
		place->used = true;
	HASH_FIND(hh, replaced->unlinked, &key, sizeof(key), unlinked);
	if (unlinked)
		unlinked->used = true;
	return 0;
}

int replaced__trim(struct replaced *replaced)
{
	int err = model__for_each_mapping(replaced->model, mark_used, replaced);
	struct unlinked *unlinked, *next_unlinked;
	struct place *place, *next;

	HASH_ITER (hh, replaced->places, place, next) {
		if (!err && !place->used) {
			HASH_DEL(replaced->places, place);
			free(place);
		} else {
			place->used = false;
		}
	}
	HASH_ITER (hh, replaced->unlinked, unlinked, next_unlinked) {
		if (!err && !unlinked->used) {
			HASH_DEL(replaced->unlinked, unlinked);
			free(unlinked);
		} else {
			unlinked->used = false;
		}
	}
	return err;
}
