// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the data of the page as JSON. Times are in ns from the beginning; null is before it. A
 * series is one array of pairs of bin and count. Each kind of data may take a limited number of
 * bytes: the most important items come first, and skipped items are counted.
 */
#include <stdlib.h>
#include <string.h>

#include "user/view/containers.h"
#include "user/view/loss.h"
#include "user/view/format/names.h"
#include "user/view/timeline/private.h"

/* Bytes of JSON. The page must have less than 2 MB. */
#define FILES_MAX 600000u
#define SYMBOLS_MAX 80000u
#define MODULES_MAX 200000u
#define CGROUPS_MAX 200000u
#define CPUS_MAX 100000u
#define CPU_SHIFT_MAX 10u /* all bins are merged into one */
#define LOSSES_MAX 50000u
#define FUNCTIONS_MAX 400000u
#define COMPARISONS_MAX 120000u
#define CGROUPS_OF_ONE 8 /* cgroups that are named for one sighting */

/* The sightings of one path. */
struct row {
	const struct sighting **v; /* sorted by time */
	size_t n;
	uint64_t replacements;
	uint64_t samples;
};

struct rows {
	struct row *v;
	size_t n;
};

struct data {
	struct timeline *timeline;
	struct model *model;
	const struct timeline_about *about;
	struct json_object *left_out;
	uint32_t *numbers; /* for each sighting: its number in its row */
};

static void add_time(
	const struct data *data, struct json_object *object, const char *key, uint64_t time_ns)
{
	uint64_t begin_ns = data->timeline->bins.begin_ns;

	if (time_ns && time_ns != UINT64_MAX)
		json__add_number(object, key, time_ns > begin_ns ? time_ns - begin_ns : 0);
	else
		json_object_object_add(object, key, NULL);
}

/* The same as an element of @array. An earlier time becomes the start. */
static void add_element(const struct data *data, struct json_object *array, uint64_t time_ns)
{
	uint64_t begin_ns = data->timeline->bins.begin_ns;

	json_object_array_add(array,
		json_object_new_int64(time_ns > begin_ns ? (int64_t)(time_ns - begin_ns) : 0));
}

static void add_counts(
	struct json_object *object, const char *key, const struct timeline_series *series)
{
	struct json_object *array = json_object_new_array_ext((int)(2 * series->n));

	for (size_t i = 0; array && i < series->n; i++) {
		json_object_array_add(array, json_object_new_int64(series->v[i].bin));
		json_object_array_add(array, json_object_new_int64(series->v[i].count));
	}
	json_object_object_add(object, key, array);
}

static void add_series(struct data *data, struct json_object *object, const char *key,
	struct timeline_series *series)
{
	timeline_series__settle(series, &data->timeline->bins);
	add_counts(object, key, series);
}

/* Adds @item if it fits into the rest of *@room; otherwise frees it. */
static bool fits(struct json_object *array, struct json_object *item, size_t *room)
{
	size_t size = item ? json__script_size(item) + 1 : SIZE_MAX;

	if (size > *room) {
		json_object_put(item);
		return false;
	}
	*room -= size;
	json_object_array_add(array, item);
	return true;
}

/* ---- What was mapped ---- */

static bool is_identified(const struct sighting *sighting)
{
	return sighting->identity.build_id_size || sighting->identity.cookie_size;
}

static uint64_t n_switches(const struct data *data, const struct sighting *sighting)
{
	struct sighting_lives lives;

	model__lives(data->model, sighting->index, &lives);
	return lives.n_all_switches;
}

static int by_path_and_time(const void *a, const void *b)
{
	const struct sighting *x = *(const struct sighting *const *)a;
	const struct sighting *y = *(const struct sighting *const *)b;
	int order = strcmp(x->path, y->path);

	if (order)
		return order;
	if (x->first_ns != y->first_ns)
		return x->first_ns < y->first_ns ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

/* Replaced paths come first; then the order is by samples. */
static int by_weight(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (!x->replacements != !y->replacements)
		return x->replacements ? -1 : 1;
	if (x->samples != y->samples)
		return x->samples > y->samples ? -1 : 1;
	return strcmp(x->v[0]->path, y->v[0]->path);
}

/* Modules are shown by their own lives, if the recording has these. */
static bool is_wanted(const struct data *data, const struct sighting *sighting, bool symbols)
{
	if (sighting->symbol != symbols || (!sighting->mappings && !sighting->samples) ||
		(sighting->init_text && !sighting->samples))
		return false;
	return !sighting->kernel || symbols || !model__n_modules(data->model) ||
	       !strncmp(sighting->path, "[kernel.", 8);
}

/* Collects the rows. @all has room for every sighting. Returns 0, or -1 if memory is exhausted. */
static int collect(
	const struct data *data, bool symbols, const struct sighting **all, struct rows *ret)
{
	size_t n_sightings = model__n_sightings(data->model), n = 0, from = 0;

	ret->n = 0;
	ret->v = calloc(n_sightings + 1, sizeof(*ret->v));
	if (!ret->v)
		return -1;
	for (size_t i = 0; i < n_sightings; i++) {
		const struct sighting *sighting = model__sighting(data->model, i);

		if (is_wanted(data, sighting, symbols))
			all[n++] = sighting;
	}
	qsort(all, n, sizeof(*all), by_path_and_time);
	for (size_t i = 1; i <= n; i++) {
		struct row *row = &ret->v[ret->n];

		if (i < n && !strcmp(all[i]->path, all[from]->path))
			continue;
		row->v = all + from;
		row->n = i - from;
		for (size_t j = 0; j < row->n; j++) {
			row->samples += row->v[j]->samples;
			row->replacements += n_switches(data, row->v[j]);
		}
		from = i;
		ret->n++;
	}
	qsort(ret->v, ret->n, sizeof(*ret->v), by_weight);
	return 0;
}

static void add_identity(
	const struct data *data, struct json_object *object, const struct sighting *sighting)
{
	const struct perfstamp_identity *identity = &sighting->identity;
	const struct header_id *id = NULL;
	const char *kind = name__kind(identity), *why;

	if (!is_identified(sighting) && data->about->header_ids)
		id = header_ids__find(data->about->header_ids, sighting->path);
	why = identity->source ? name__source(identity->source) : NULL;
	if (identity->build_id_size)
		json__add_bytes(object, "id", identity->build_id, identity->build_id_size);
	else if (identity->cookie_size)
		json__add_bytes(object, "id", identity->cookie, identity->cookie_size);
	else if (id)
		json__add_bytes(object, "id", id->build_id, id->build_id_size);
	json__add_text(object, "kind", id ? "build-id" : kind);
	if (id)
		why = "header";
	else if (!identity->build_id_size)
		why = name__reason(identity->reason);
	json__add_text(object, "why", why);
	if (sighting->n_contents > 1) {
		json__add_number(object, "content", sighting->content);
		json__add_number(object, "contents", sighting->n_contents);
	}
}

static void add_cgroups(struct json_object *object, const struct sighting *sighting)
{
	struct json_object *array = json_object_new_array();
	char id[24];

	json__add_number(object, "n_cgroups", sighting->n_cgroups);
	for (size_t i = 0; array && i < sighting->n_cgroups && i < CGROUPS_OF_ONE; i++) {
		snprintf(id, sizeof(id), "%llu", (unsigned long long)sighting->cgroup_ids[i]);
		json_object_array_add(array, json_object_new_string(id));
	}
	json_object_object_add(object, "cgroups", array);
}

/* Adds pairs of begin and end. A span without an end ends with the recording. */
static void add_spans(const struct data *data, struct json_object *object, const char *key,
	const struct model_span *spans, size_t n)
{
	uint64_t end_ns = data->timeline->end_ns;
	struct json_object *array = json_object_new_array_ext((int)(2 * n));

	for (size_t i = 0; array && i < n; i++) {
		uint64_t to_ns = spans[i].end_ns < end_ns ? spans[i].end_ns : end_ns;

		add_element(data, array, spans[i].begin_ns);
		add_element(data, array, to_ns > spans[i].begin_ns ? to_ns : spans[i].begin_ns);
	}
	json_object_object_add(object, key, array);
}

/* Returns the number of the sighting in @row, or -1 if it is not in this row. */
static int in_row(const struct data *data, const struct row *row, uint32_t sighting)
{
	uint32_t number = sighting < model__n_sightings(data->model) ? data->numbers[sighting]
								     : UINT32_MAX;

	return number < row->n && row->v[number]->index == sighting ? (int)number : -1;
}

/* A sighting with one life of one span only needs .first and .last. */
static void add_lives(const struct data *data, struct json_object *object, const struct row *row,
	const struct sighting *sighting)
{
	struct sighting_lives lives;
	struct json_object *switches, *replaced;

	model__lives(data->model, sighting->index, &lives);
	if (lives.n_mapped > 1)
		add_spans(data, object, "lives", lives.mapped, lives.n_mapped);
	if (lives.n_merged)
		json__add_number(object, "merged", lives.n_merged);
	if (lives.n_outdated)
		add_spans(data, object, "outdated", lives.outdated, lives.n_outdated);
	json__add_bool(object, "replaces", lives.n_all_switches);
	if (!lives.n_all_switches)
		return;
	json__add_number(object, "n_switches", lives.n_all_switches);
	switches = json_object_new_array_ext((int)lives.n_switches);
	replaced = json_object_new_array_ext((int)lives.n_switches);
	for (size_t i = 0; switches && replaced && i < lives.n_switches; i++) {
		add_element(data, switches, lives.switches[i].time_ns);
		json_object_array_add(replaced,
			json_object_new_int(in_row(data, row, lives.switches[i].replaced)));
	}
	json_object_object_add(object, "switches", switches);
	json_object_object_add(object, "replaced", replaced);
}

static struct json_object *make_sighting(
	struct data *data, const struct row *row, const struct sighting *sighting)
{
	struct json_object *object = json_object_new_object();
	struct timeline_series none = {0};

	add_identity(data, object, sighting);
	add_time(data, object, "first", sighting->first_ns);
	add_time(data, object, "last", sighting->last_ns);
	json__add_bool(object, "alive", sighting->alive);
	add_lives(data, object, row, sighting);
	json__add_number(object, "mappings", sighting->mappings);
	json__add_number(object, "processes", sighting->n_processes);
	json__add_number(object, "samples", sighting->samples);
	add_cgroups(object, sighting);
	add_series(data, object, "series",
		sighting->index < data->timeline->n_sightings
			? &data->timeline->sightings[sighting->index]
			: &none);
	return object;
}

static struct json_object *make_row(struct data *data, const struct row *row)
{
	struct json_object *object = json_object_new_object();
	struct json_object *array = json_object_new_array();

	json__add_text(object, "path", row->v[0]->path);
	json__add_bool(object, "kernel", row->v[0]->kernel);
	json__add_number(object, "samples", row->samples);
	json__add_number(object, "replacements", row->replacements);
	for (size_t i = 0; i < row->n; i++)
		data->numbers[row->v[i]->index] = i;
	for (size_t i = 0; array && i < row->n; i++)
		json_object_array_add(array, make_sighting(data, row, row->v[i]));
	json_object_object_add(object, "sightings", array);
	return object;
}

static int add_rows(
	struct data *data, struct json_object *object, const char *key, bool symbols, size_t room)
{
	const struct sighting **all = calloc(model__n_sightings(data->model) + 1, sizeof(*all));
	struct json_object *array = json_object_new_array();
	uint64_t left_out = 0;
	struct rows rows = {0};

	if (!all || collect(data, symbols, all, &rows)) {
		free(all);
		json_object_put(array);
		return -1;
	}
	for (size_t i = 0; i < rows.n; i++)
		left_out += !fits(array, make_row(data, &rows.v[i]), &room);
	json_object_object_add(object, key, array);
	json__add_number(data->left_out, key, left_out);
	free(rows.v);
	free(all);
	return 0;
}

/* ---- Modules ---- */

/* Whether the module was loaded during the whole recording. */
static bool is_steady(const struct module_life *life)
{
	return life->snapshot && !life->unloaded;
}

static struct json_object *make_life(const struct data *data, const struct module_life *life)
{
	struct json_object *object = json_object_new_object();

	json__add_text(object, "name", life->name);
	json__add_text(object, "path", life->path[0] == '/' ? life->path : NULL);
	json__add_bytes(object, "id", life->build_id, life->build_id_size);
	json__add_text(object, "why", life->build_id_size ? NULL : name__reason(life->reason));
	add_time(data, object, "first", life->loaded_ns);
	add_time(data, object, "init", life->init_done_ns);
	add_time(data, object, "last", life->unloaded ? life->unloaded_ns : data->timeline->end_ns);
	json__add_bool(object, "alive", !life->unloaded);
	json__add_bool(object, "failed", life->init_failed);
	json__add_bool(object, "inferred", life->inferred);
	json__add_bool(object, "from_memory", life->from_memory);
	json__add_number(object, "errno", life->init_result < 0 ? -(int64_t)life->init_result : 0);
	json__add_number(object, "samples", life->samples);
	return object;
}

static void add_modules(struct data *data, struct json_object *object)
{
	struct json_object *array = json_object_new_array();
	size_t n = model__n_modules(data->model), room = MODULES_MAX;
	uint64_t left_out = 0;

	for (int steady = 0; array && steady <= 1; steady++)
		for (size_t i = 0; i < n; i++) {
			const struct module_life *life = model__module(data->model, i);

			if (is_steady(life) == steady)
				left_out += !fits(array, make_life(data, life), &room);
		}
	json_object_object_add(object, "modules", array);
	json__add_number(data->left_out, "modules", left_out);
}

/* ---- Containers and losses ---- */

static int by_samples(const struct timeline_cgroup *a, const struct timeline_cgroup *b)
{
	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

static struct json_object *make_cgroup(
	struct data *data, struct containers *containers, struct timeline_cgroup *cgroup)
{
	struct json_object *object = json_object_new_object();
	char id[24], label[4 * CONTAINER_TEXT_MAX];
	struct container_facts *facts;

	/* A number in JavaScript has only 53 bits. */
	snprintf(id, sizeof(id), "%llu", (unsigned long long)cgroup->id);
	json__add_text(object, "id", id);
	json__add_text(object, "path", model__cgroup_path(data->model, cgroup->id));
	if (!containers__find(containers, cgroup->id, &facts) && facts) {
		container_facts__label(facts, label, sizeof(label));
		json__add_text(object, "label", label);
		json__add_text(object, "image", *facts->image ? facts->image : NULL);
	}
	add_time(data, object, "first", cgroup->first_ns);
	add_time(data, object, "last", cgroup->last_ns);
	json__add_number(object, "samples", cgroup->samples);
	json__add_number(object, "mappings", cgroup->mappings);
	add_series(data, object, "series", &cgroup->series);
	return object;
}

static int add_all_cgroups(struct data *data, struct json_object *object)
{
	struct json_object *array = json_object_new_array();
	struct containers *containers;
	struct timeline_cgroup *cgroup;
	size_t room = CGROUPS_MAX;
	uint64_t left_out = 0;

	if (containers__new(&containers, data->model)) {
		json_object_put(array);
		return -1;
	}
	HASH_SORT(data->timeline->cgroups, by_samples);
	for (cgroup = data->timeline->cgroups; array && cgroup; cgroup = cgroup->hh.next)
		left_out += !fits(array, make_cgroup(data, containers, cgroup), &room);
	containers__free(containers);
	json_object_object_add(object, "cgroups", array);
	json__add_number(data->left_out, "cgroups", left_out);
	return 0;
}

/* Returns approximately how many bytes of JSON a series takes. */
static size_t size_of(const struct timeline_series *series)
{
	return 8 * series->n + 50;
}

/*
 * Adds the CPUs. If they take too many bytes, their bins are merged; of thousands, the last do not
 * fit even then.
 */
static void add_cpus(struct data *data, struct json_object *object)
{
	struct timeline *timeline = data->timeline;
	struct timeline_bins coarse = timeline->bins;
	struct json_object *array = json_object_new_array(), *item;
	size_t size, room = CPUS_MAX;
	uint64_t samples = 0, left_out = 0;

	for (;; coarse.level++) {
		size = 0;
		for (size_t i = 0; i < timeline->n_cpus; i++) {
			timeline_series__settle(&timeline->cpus[i].series, &coarse);
			size += timeline->cpus[i].samples ? size_of(&timeline->cpus[i].series) : 0;
		}
		if (size < CPUS_MAX || coarse.level == timeline->bins.level + CPU_SHIFT_MAX)
			break;
	}
	for (size_t i = 0; array && i < timeline->n_cpus; i++) {
		if (!timeline->cpus[i].samples)
			continue;
		item = json_object_new_object();
		json__add_number(item, "cpu", i);
		json__add_number(item, "samples", timeline->cpus[i].samples);
		add_counts(item, "series", &timeline->cpus[i].series);
		left_out += !fits(array, item, &room);
		samples += timeline->cpus[i].samples;
	}
	json_object_object_add(object, "cpus", array);
	json__add_number(object, "cpu_samples", samples);
	json__add_number(data->left_out, "cpus", left_out);
	json__add_number(object, "cpu_shift", coarse.level - timeline->bins.level);
}

static void add_losses(struct data *data, struct json_object *object)
{
	const struct timeline_about *about = data->about;
	struct json_object *array = json_object_new_array(), *item;
	size_t room = LOSSES_MAX;
	const char *cursor = NULL;
	uint64_t left_out = 0;
	struct loss loss;

	while (array && loss__next(about->stamp, about->stamp_size, &cursor, &loss)) {
		item = json_object_new_object();
		json__add_text(item, "cause", loss.cause);
		json__add_number(item, "count", loss.n);
		add_time(data, item, "first", loss.begin_ns);
		add_time(data, item, "last", loss.end_ns);
		left_out += !fits(array, item, &room);
	}
	json_object_object_add(object, "losses", array);
	json__add_number(data->left_out, "losses", left_out);
}

/* ---- The whole ---- */

static void add_about(struct data *data, struct json_object *object)
{
	const struct timeline_about *about = data->about;
	const struct timeline *timeline = data->timeline;
	uint64_t begin_ns = timeline->bins.begin_ns;

	json__add_text(object, "name", about->name);
	json__add_number(object, "n_files", about->n_files);
	json__add_text(object, "host", about->host);
	json__add_text(object, "release", about->release);
	json__add_text(object, "problem", about->problem);
	json_object_object_add(object, "wall_ms",
		about->has_wall
			? json_object_new_int64((about->wall_ns + (int64_t)begin_ns) / 1000000)
			: NULL);
	json__add_number(object, "begin", begin_ns);
	json__add_number(
		object, "span", timeline->end_ns > begin_ns ? timeline->end_ns - begin_ns : 0);
	json__add_number(object, "bin", timeline_bins__width(&timeline->bins));
}

static void add_samples(struct data *data, struct json_object *object)
{
	static const char *const NAMES[] = {
		[TIMELINE_USER] = "user", [TIMELINE_KERNEL] = "kernel", [TIMELINE_OTHER] = "other"};
	struct json_object *samples = json_object_new_object();
	struct json_object *totals = json_object_new_object();

	for (int i = 0; i < TIMELINE_N_MODES; i++) {
		add_series(data, samples, NAMES[i], &data->timeline->samples[i]);
		json__add_number(totals, NAMES[i], data->timeline->n_samples[i]);
	}
	json_object_object_add(object, "samples", samples);
	json_object_object_add(object, "totals", totals);
	add_series(data, object, "lost", &data->timeline->lost);
	json__add_number(object, "n_lost", data->timeline->n_lost);
}

static int add_functions(struct data *data, struct json_object *object)
{
	const struct timeline_functions *functions = data->about->functions;
	struct json_object *made = NULL;

	if (functions) {
		made = timeline_functions__make(
			data->timeline, data->model, functions, FUNCTIONS_MAX);
		if (!made)
			return -1;
	}
	json_object_object_add(object, "functions", made);
	return 0;
}

struct json_object *timeline_data__make(
	struct timeline *timeline, struct model *model, const struct timeline_about *about)
{
	struct data data = {.timeline = timeline, .model = model, .about = about};
	uint64_t left_out;
	struct json_object *object = json_object_new_object();

	data.left_out = json_object_new_object();
	data.numbers = calloc(model__n_sightings(model) + 1, sizeof(*data.numbers));
	if (!object || !data.left_out || !data.numbers)
		goto failed;
	add_about(&data, object);
	add_samples(&data, object);
	add_losses(&data, object);
	if (add_rows(&data, object, "paths", false, FILES_MAX) ||
		add_rows(&data, object, "symbols", true, SYMBOLS_MAX))
		goto failed;
	add_modules(&data, object);
	add_cpus(&data, object);
	if (add_all_cgroups(&data, object) || add_functions(&data, object))
		goto failed;
	json_object_object_add(object, "comparisons",
		timeline_comparisons__fit(about->comparisons, COMPARISONS_MAX, &left_out));
	json__add_number(data.left_out, "comparisons", left_out);
	json_object_object_add(object, "left_out", data.left_out);
	free(data.numbers);
	return object;
failed:
	free(data.numbers);
	json_object_put(object);
	json_object_put(data.left_out);
	return NULL;
}
