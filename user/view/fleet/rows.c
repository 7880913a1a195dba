// SPDX-License-Identifier: GPL-2.0-only
/* See rows.h. numbering.h numbers the values that several rows share. */
#include "user/view/fleet/rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/view/containers.h"
#include "user/view/fleet/copy.h"
#include "user/view/fleet/numbering.h"
#include "user/view/list/rows.h"
#include "user/view/loss.h"
#include "user/view/modules.h"
#include "user/view/format/names.h"
#include "user/view/replaced.h"

#define PLACES_MAX 64 /* first distinct places that are kept of a sighting */

static const struct {
	const char *name;
	const char *columns;
} TABLES[] = {
	[FLEET_CONTENTS] = {"in_contents",
		"n integer, build_id bytea, cookie bytea, reason text, symbols boolean"},
	[FLEET_PATHS] = {"in_paths", "n integer, path text"},
	[FLEET_PLACES] = {"in_places", "n integer, label text, runtime text, id text, name text, "
				       "image text, namespace text, pod text, unit text"},
	[FLEET_PACKAGES] = {"in_packages",
		"content integer, kind text, os text, name text, version text, architecture text, "
		"source text, source_version text"},
	[FLEET_SIGHTINGS] = {"in_sightings",
		"first_seen timestamptz, last_seen timestamptz, mappings bigint, samples bigint, "
		"content integer, path integer, processes integer, kernel boolean, alive boolean, "
		"read_late boolean, places integer[]"},
	[FLEET_REPLACEMENTS] = {"in_replacements",
		"since timestamptz, path integer, old integer, new integer, kind text, "
		"same_build_id boolean, processes integer, places integer[]"},
	[FLEET_MODULES] = {"in_modules", "name text, path text, build_id bytea, "
					 "loaded timestamptz, unloaded timestamptz, state text, "
					 "inferred boolean"},
	[FLEET_LOSSES] = {"in_losses",
		"cause text, n bigint, begins timestamptz, ends timestamptz"},
};

const char *fleet_table__name(enum fleet_table table)
{
	return TABLES[table].name;
}

const char *fleet_table__columns(enum fleet_table table)
{
	return TABLES[table].columns;
}

int64_t fleet__time_us(int64_t wall_ns, uint64_t time_ns)
{
	int64_t ns;

	if (time_ns > INT64_MAX || __builtin_add_overflow(wall_ns, (int64_t)time_ns, &ns))
		ns = INT64_MAX;
	return ns < 0 ? 0 : ns / 1000;
}

struct making {
	const struct fleet_source *source;
	struct fleet_rows *rows;
	struct containers *containers;
	struct numbering *contents, *paths, *places;
	uint32_t found[PLACES_MAX]; /* the places of the current row */
	size_t n_found;
};

static struct buffer *begin_row(struct making *making, enum fleet_table table)
{
	making->rows->n[table]++;
	return &making->rows->tables[table];
}

static void write_time(const struct making *making, struct buffer *out, uint64_t time_ns)
{
	if (time_ns)
		copy__time(out, fleet__time_us(making->source->wall_ns, time_ns));
	else
		copy__null(out);
}

/* ---- What rows share ---- */

static int number_content(
	struct making *making, const struct perfstamp_identity *identity, uint32_t *ret)
{
	const struct fleet_source *source = making->source;
	const char *reason = identity->build_id_size ? "" : name__reason(identity->reason);
	bool identified = identity->build_id_size || identity->cookie_size, is_new;
	char key[2 * PERFSTAMP_BUILD_ID_MAX + 16] = {0};
	struct buffer *out;
	int err;

	memcpy(key, identity->build_id, identity->build_id_size);
	memcpy(key + PERFSTAMP_BUILD_ID_MAX, identity->cookie, identity->cookie_size);
	key[sizeof(key) - 3] = (char)identity->build_id_size;
	key[sizeof(key) - 2] = (char)identity->cookie_size;
	key[sizeof(key) - 1] = (char)(identity->build_id_size ? 0 : identity->reason);
	err = numbering__find(making->contents, key, sizeof(key), ret, &is_new);
	if (err || !is_new)
		return err;
	out = begin_row(making, FLEET_CONTENTS);
	copy__number(out, *ret);
	copy__bytes(out, identity->build_id, identity->build_id_size);
	copy__bytes(out, identity->cookie, identity->cookie_size);
	copy__text(out, reason);
	copy__bool(out, identified && source->has_file && source->has_file(source->ctx, identity));
	copy__end_row(out);
	return 0;
}

static int number_path(struct making *making, const char *path, uint32_t *ret)
{
	struct buffer *out;
	bool is_new;
	int err = numbering__find(making->paths, path, strlen(path), ret, &is_new);

	if (err || !is_new)
		return err;
	out = begin_row(making, FLEET_PATHS);
	copy__number(out, *ret);
	copy__text(out, path);
	copy__end_row(out);
	return 0;
}

static void write_container(struct buffer *out, const struct container_facts *facts)
{
	char label[4 * CONTAINER_TEXT_MAX];

	/* The label's names have been escaped; the rest of it is from a cgroup's path. */
	container_facts__label(facts, label, sizeof(label));
	copy__text(out, label);
	copy__text(out, container_runtime__name(facts->is.runtime));
	copy__text(out, facts->is.id);
	copy__escaped(out, facts->name);
	copy__escaped(out, facts->image);
	copy__escaped(out, facts->namespace);
	copy__escaped(out, facts->pod);
	copy__text(out, facts->is.unit);
}

static void write_unit(struct buffer *out, const char *label, const struct container *is)
{
	copy__text(out, label);
	copy__text(out, container_runtime__name(is->runtime));
	for (int i = 0; i < 5; i++)
		copy__text(out, "");
	copy__text(out, is->unit);
}

static int number_place(struct making *making, const char *key, const struct container_facts *facts,
	const char *label, const struct container *is)
{
	struct buffer *out;
	uint32_t number;
	bool is_new;
	int err = numbering__find(making->places, key, strlen(key), &number, &is_new);

	if (err)
		return err;
	if (is_new) {
		out = begin_row(making, FLEET_PLACES);
		copy__number(out, number);
		if (facts)
			write_container(out, facts);
		else
			write_unit(out, label, is);
		copy__end_row(out);
	}
	for (size_t i = 0; i < making->n_found; i++)
		if (making->found[i] == number)
			return 0;
	if (making->n_found < PLACES_MAX)
		making->found[making->n_found++] = number;
	return 0;
}

/* Finds the number of the cgroup's container, or of its unit if there is none. */
static int find_place(struct making *making, uint64_t cgroup)
{
	const char *path = model__cgroup_path(making->source->model, cgroup);
	char key[3 * CONTAINER_TEXT_MAX], label[CONTAINER_TEXT_MAX + 32];
	struct container_facts *facts;
	struct container is;
	int err = containers__find(making->containers, cgroup, &facts);

	if (err || !path)
		return err;
	container__parse(&is, path);
	if (facts)
		snprintf(key, sizeof(key), "%d/%s/%s", is.runtime, is.id, is.pod);
	else if (!*is.unit)
		return 0;
	else
		snprintf(key, sizeof(key), "unit/%d/%u/%s", is.user_unit, is.uid, is.unit);
	if (is.user_unit)
		snprintf(label, sizeof(label), "%s of user %u", is.unit, is.uid);
	else
		snprintf(label, sizeof(label), "%s", is.unit);
	return number_place(making, key, facts, label, &is);
}

static int find_places(struct making *making, const uint64_t *cgroups, size_t n)
{
	int err = 0;

	making->n_found = 0;
	for (size_t i = 0; i < n && !err; i++)
		err = find_place(making, cgroups[i]);
	return err;
}

/* ---- Rows ---- */

static void add_packages(struct making *making, const struct list_row *row, uint32_t content)
{
	const struct fleet_source *source = making->source;
	struct fleet_package packages[FLEET_PACKAGES_MAX];
	struct buffer *out;
	size_t n = 0;

	if (source->packages && !row->kernel && *row->path == '/')
		n = source->packages(source->ctx, &row->identity, row->path, packages);
	for (size_t i = 0; i < n; i++) {
		out = begin_row(making, FLEET_PACKAGES);
		copy__number(out, content);
		copy__text(out, packages[i].kind);
		copy__text(out, packages[i].os);
		copy__text(out, packages[i].name);
		copy__text(out, packages[i].version);
		copy__text(out, packages[i].architecture);
		copy__text(out, packages[i].source);
		copy__text(out, packages[i].source_version);
		copy__end_row(out);
	}
}

static int add_sighting(struct making *making, const struct list_row *row)
{
	const struct sighting none = {0};
	const struct sighting *sighting = row->sighting ? row->sighting : &none;
	size_t n = sighting->n_processes;
	uint32_t content, path;
	struct buffer *out;
	int err = number_content(making, &row->identity, &content);

	if (!err)
		err = number_path(making, row->path, &path);
	if (!err)
		err = find_places(making, sighting->cgroup_ids, sighting->n_cgroups);
	if (err)
		return err;
	add_packages(making, row, content);
	out = begin_row(making, FLEET_SIGHTINGS);
	write_time(making, out, sighting->first_ns);
	/* If a recording has no samples, it may have no record with a time. */
	copy__time(out, fleet__time_us(making->source->wall_ns,
				sighting->last_ns ? sighting->last_ns : making->source->end_ns));
	copy__number(out, sighting->mappings);
	copy__number(out, sighting->samples);
	copy__number(out, content);
	copy__number(out, path);
	copy__number(out, n > INT32_MAX ? INT32_MAX : n);
	copy__bool(out, row->kernel);
	copy__bool(out, sighting->alive);
	copy__bool(out, row->from_header);
	copy__numbers(out, making->found, making->n_found);
	copy__end_row(out);
	return 0;
}

static int add_sightings(struct making *making)
{
	const struct fleet_source *source = making->source;
	const struct list_options all = {0};
	struct list_rows rows = {0};
	int err = list_rows__collect(&rows, source->model, source->header_ids, &all);

	for (size_t i = 0; i < rows.n && !err; i++)
		err = add_sighting(making, &rows.v[i]);
	list_rows__free(&rows);
	return err;
}

static bool has_identity(const struct perfstamp_identity *identity)
{
	return identity->build_id_size || identity->cookie_size;
}

static int add_replacement(void *ctx, const struct replacement *replacement)
{
	struct making *making = ctx;
	const struct model *model = making->source->model;
	size_t n = replacement->n_processes;
	uint32_t path, old, now = 0;
	struct buffer *out;
	int err = number_path(making, replacement->path, &path);

	if (!err)
		err = number_content(
			making, &model__sighting_so_far(model, replacement->old)->identity, &old);
	if (!err && has_identity(&replacement->now))
		err = number_content(making, &replacement->now, &now);
	if (!err)
		err = find_places(making, replacement->cgroups, replacement->n_cgroups);
	if (err)
		return err;
	out = begin_row(making, FLEET_REPLACEMENTS);
	write_time(making, out, replacement->since_ns);
	copy__number(out, path);
	copy__number(out, old);
	if (has_identity(&replacement->now))
		copy__number(out, now);
	else
		copy__null(out);
	copy__text(out, replaced_view__kind(replacement->kind));
	copy__bool(out, replacement->same_build_id);
	copy__number(out, n > INT32_MAX ? INT32_MAX : n);
	copy__numbers(out, making->found, making->n_found);
	copy__end_row(out);
	return 0;
}

static void add_module(struct making *making, const struct module_life *life)
{
	struct buffer *out = begin_row(making, FLEET_MODULES);

	copy__text(out, life->name);
	copy__text(out, life->path[0] == '/' ? life->path : "");
	copy__bytes(out, life->build_id, life->build_id_size);
	write_time(making, out, life->loaded_ns);
	write_time(making, out, life->unloaded ? life->unloaded_ns : 0);
	copy__text(out, modules_view__state(life));
	copy__bool(out, life->inferred);
	copy__end_row(out);
}

static void add_losses(struct making *making)
{
	const struct fleet_source *source = making->source;
	const char *cursor = NULL;
	struct buffer *out;
	struct loss loss;

	while (loss__next(source->stamp, source->stamp_size, &cursor, &loss)) {
		out = begin_row(making, FLEET_LOSSES);
		copy__text(out, loss.cause);
		copy__number(out, loss.n);
		copy__time(out, fleet__time_us(source->wall_ns, loss.begin_ns));
		copy__time(out, fleet__time_us(source->wall_ns, loss.end_ns));
		copy__end_row(out);
	}
}

static int make(struct making *making)
{
	const struct fleet_source *source = making->source;
	int err = add_sightings(making);

	if (!err && source->replaced)
		err = replaced__for_each(source->replaced, add_replacement, making);
	if (err)
		return err;
	for (size_t i = 0; i < model__n_modules(source->model); i++)
		add_module(making, model__module(source->model, i));
	add_losses(making);
	for (size_t i = 0; i < FLEET_TABLES; i++)
		if (making->rows->tables[i].error)
			return -ENOMEM;
	return 0;
}

int fleet_rows__make(struct fleet_rows *ret, const struct fleet_source *source)
{
	struct making making = {.source = source, .rows = ret};
	int err = 0;

	for (size_t i = 0; i < FLEET_TABLES; i++) {
		buffer__init(&ret->tables[i], 0);
		ret->n[i] = 0;
	}
	if (containers__new(&making.containers, source->model) ||
		numbering__new(&making.contents) || numbering__new(&making.paths) ||
		numbering__new(&making.places))
		err = -ENOMEM;
	if (!err)
		err = make(&making);
	numbering__free(making.contents);
	numbering__free(making.paths);
	numbering__free(making.places);
	containers__free(making.containers);
	return err;
}

void fleet_rows__free(struct fleet_rows *rows)
{
	for (size_t i = 0; i < FLEET_TABLES; i++)
		buffer__free(&rows->tables[i]);
}
