// SPDX-License-Identifier: GPL-2.0-only
/*
 * timeline_functions: the call chains of samples as one tree of functions, with the samples of each
 * node by time and cgroup. The result must fit into a number of bytes. Until it does, bins are
 * merged, and the rarest functions become a node "rest" of their callers.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "user/model/profile/chains.h"
#include "user/view/timeline/private.h"

/*
 * Up to this shift, bins are merged in turn with the removal of rare functions. Above it, they are
 * merged only when no function is left.
 */
#define FINE_SHIFT_MAX 3u
#define SHIFT_MAX 10u /* all bins are merged into one */
/* The page offers this many cgroups, those with the most samples. All others are shown as one. */
#define CGROUPS_MAX 200u

/*
 * Node numbers below .n_frames are frames of the chains. Number .n_frames + i is the rest below
 * frame i; 2 * .n_frames is the rest of the root.
 */
struct entry {
	uint32_t node, cgroup, bin, count;
};

struct counts {
	const struct timeline_functions *of;
	struct model *model;
	struct functions *functions;
	struct chains *chains;
	uint32_t n_frames;
	uint64_t n_samples;
	uint64_t *totals; /* for each frame: its samples, including callees */
	uint64_t *cgroups;
	size_t n_cgroups;
	struct entry *v;
	size_t n;
	/* for each node: its number in the page; SAMPLES_NONE: not in it */
	uint32_t *numbers;
	uint32_t *function_numbers; /* the same for functions */
	uint32_t *dso_numbers;      /* the same for sightings: DSO contents at a path */
	uint32_t n_functions, n_dsos, n_all_functions;
	unsigned int shift;
	uint64_t least; /* frames with fewer samples belong to a rest */
};

static int by_id(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static bool is_shown(const struct counts *counts, const struct sample_sum *sum)
{
	return sum->event == counts->of->event && sum->frame != SAMPLES_NONE;
}

struct cgroup_sum {
	uint64_t id, n;
};

static int by_cgroup(const void *a, const void *b)
{
	const struct cgroup_sum *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static int by_samples(const void *a, const void *b)
{
	const struct cgroup_sum *x = a, *y = b;

	return x->n != y->n ? (x->n < y->n) - (x->n > y->n) : by_cgroup(a, b);
}

static int number_cgroups(struct counts *counts)
{
	size_t n_sums = samples__n(counts->of->samples), n = 0, n_all = 0;
	struct cgroup_sum *all = calloc(n_sums + 1, sizeof(*all));

	counts->cgroups = calloc(CGROUPS_MAX, sizeof(*counts->cgroups));
	if (!all || !counts->cgroups) {
		free(all);
		return -ENOMEM;
	}
	for (size_t i = 0; i < n_sums; i++) {
		const struct sample_sum *sum = samples__at(counts->of->samples, i);

		if (is_shown(counts, sum))
			all[n_all++] = (struct cgroup_sum){sum->cgroup, sum->n};
	}
	qsort(all, n_all, sizeof(*all), by_cgroup);
	for (size_t i = 0; i < n_all; i++) {
		if (n && all[n - 1].id == all[i].id)
			all[n - 1].n += all[i].n;
		else
			all[n++] = all[i];
	}
	qsort(all, n, sizeof(*all), by_samples);
	counts->n_cgroups = n < CGROUPS_MAX ? n : CGROUPS_MAX;
	for (size_t i = 0; i < counts->n_cgroups; i++)
		counts->cgroups[i] = all[i].id;
	qsort(counts->cgroups, counts->n_cgroups, sizeof(*counts->cgroups), by_id);
	free(all);
	return 0;
}

/* Returns n_cgroups for a cgroup that has no number of its own. */
static uint32_t cgroup_number(const struct counts *counts, uint64_t id)
{
	const uint64_t *found = bsearch(
		&id, counts->cgroups, counts->n_cgroups, sizeof(*counts->cgroups), by_id);

	return found ? (uint32_t)(found - counts->cgroups) : (uint32_t)counts->n_cgroups;
}

static void count_frames(struct counts *counts)
{
	size_t n = samples__n_frames(counts->of->samples);

	for (size_t i = 0; i < n; i++) {
		uint32_t frame = chains__frame_of(counts->chains, i);

		if (frame != SAMPLES_NONE && frame >= counts->n_frames)
			counts->n_frames = frame + 1;
	}
}

/* Makes one entry for each sum and bin. */
static int take_entries(struct counts *counts, struct timeline *timeline)
{
	size_t n = 0, n_sums = samples__n(counts->of->samples);

	if (n_sums > timeline->n_sums)
		n_sums = timeline->n_sums;
	for (size_t i = 0; i < n_sums; i++) {
		timeline_series__settle(&timeline->sums[i], &timeline->bins);
		n += timeline->sums[i].n;
	}
	counts->v = calloc(n + 1, sizeof(*counts->v));
	counts->totals = calloc(counts->n_frames + 1, sizeof(*counts->totals));
	if (!counts->v || !counts->totals)
		return -ENOMEM;
	for (size_t i = 0; i < n_sums; i++) {
		const struct sample_sum *sum = samples__at(counts->of->samples, i);
		const struct timeline_series *series = &timeline->sums[i];
		uint32_t frame, cgroup;

		if (!is_shown(counts, sum))
			continue;
		frame = chains__frame_of(counts->chains, sum->frame);
		cgroup = cgroup_number(counts, sum->cgroup);
		for (size_t j = 0; j < series->n; j++) {
			counts->v[counts->n++] = (struct entry){
				frame, cgroup, series->v[j].bin, series->v[j].count};
			counts->totals[frame] += series->v[j].count;
			counts->n_samples += series->v[j].count;
		}
	}
	/* A caller's number is lower than that of its callee. */
	for (uint32_t i = counts->n_frames; i-- > 0;) {
		uint32_t parent = chains__frame(counts->chains, i)->parent;

		if (parent != SAMPLES_NONE)
			counts->totals[parent] += counts->totals[i];
	}
	return 0;
}

static uint32_t rest_of(const struct counts *counts, uint32_t frame)
{
	return frame == SAMPLES_NONE ? 2 * counts->n_frames : counts->n_frames + frame;
}

/* Returns SAMPLES_NONE for an outermost node. */
static uint32_t parent_of(const struct counts *counts, uint32_t node)
{
	if (node < counts->n_frames)
		return chains__frame(counts->chains, node)->parent;
	return node == 2 * counts->n_frames ? SAMPLES_NONE : node - counts->n_frames;
}

/*
 * Returns the node that gets the samples of @node after frames with fewer than .least samples are
 * removed.
 */
static uint32_t kept(const struct counts *counts, uint32_t node)
{
	bool is_rest = node >= counts->n_frames;
	uint32_t frame = is_rest ? parent_of(counts, node) : node;

	while (frame != SAMPLES_NONE && counts->totals[frame] < counts->least) {
		frame = chains__frame(counts->chains, frame)->parent;
		is_rest = true;
	}
	return is_rest ? rest_of(counts, frame) : frame;
}

static int by_node(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->cgroup != y->cgroup)
		return x->cgroup < y->cgroup ? -1 : 1;
	return (x->bin > y->bin) - (x->bin < y->bin);
}

/* Makes bins 2^@shift times as wide, and merges entries that then are equal. */
static void reduce(struct counts *counts, unsigned int shift)
{
	size_t n = 0;

	for (size_t i = 0; i < counts->n; i++) {
		counts->v[i].node = kept(counts, counts->v[i].node);
		counts->v[i].bin >>= shift;
	}
	qsort(counts->v, counts->n, sizeof(*counts->v), by_node);
	for (size_t i = 0; i < counts->n; i++) {
		if (n && !by_node(&counts->v[n - 1], &counts->v[i]))
			counts->v[n - 1].count += counts->v[i].count;
		else
			counts->v[n++] = counts->v[i];
	}
	counts->n = n;
}

static uint32_t function_of(const struct counts *counts, uint32_t node)
{
	return node < counts->n_frames ? chains__frame(counts->chains, node)->function
				       : SAMPLES_NONE;
}

static size_t digits(uint64_t number)
{
	size_t n = 1;

	for (; number > 9; number /= 10)
		n++;
	return n;
}

/* Gives @numbers[@i] the next number, unless it has one. Returns whether it is new. */
static bool number(uint32_t *numbers, uint32_t i, uint32_t *n)
{
	if (numbers[i] != SAMPLES_NONE)
		return false;
	numbers[i] = (*n)++;
	return true;
}

static const struct place *place_of(const struct counts *counts, uint32_t function)
{
	return samples__place(
		counts->of->samples, functions__at(counts->functions, function)->place);
}

/* Numbers a function and its DSO, if they are new. Returns the bytes of JSON that they add. */
static size_t number_function(struct counts *counts, uint32_t function)
{
	const struct function *at = functions__at(counts->functions, function);
	const char *name = at->inlined ? at->inlined : counts->of->resolved[at->place].name;
	uint32_t sighting = place_of(counts, function)->sighting;
	size_t size = 0;

	if (number(counts->function_numbers, function, &counts->n_functions))
		size += strlen("{\"name\":\"\",\"dso\":12345},") + (name ? strlen(name) : 30);
	if (sighting != SAMPLES_NONE && number(counts->dso_numbers, sighting, &counts->n_dsos))
		size += strlen("{\"path\":\"\",\"id\":\"\"},") + 2 * PERFSTAMP_BUILD_ID_MAX +
			strlen(model__sighting(counts->model, sighting)->path);
	return size;
}

/* Numbers the existing nodes, callers first, and their functions. Returns the bytes of JSON. */
static size_t number_nodes(struct counts *counts)
{
	uint32_t n_nodes = 2 * counts->n_frames + 1, n = 0;
	size_t size = 0;

	memset(counts->numbers, 0xff, n_nodes * sizeof(*counts->numbers));
	memset(counts->function_numbers, 0xff,
		counts->n_all_functions * sizeof(*counts->function_numbers));
	memset(counts->dso_numbers, 0xff,
		model__n_sightings(counts->model) * sizeof(*counts->dso_numbers));
	counts->n_functions = counts->n_dsos = 0;
	for (size_t i = 0; i < counts->n; i++)
		for (uint32_t node = counts->v[i].node;
			node != SAMPLES_NONE && counts->numbers[node] == SAMPLES_NONE;
			node = parent_of(counts, node))
			counts->numbers[node] = 0;
	for (uint32_t node = 0; node < n_nodes; node++) {
		uint32_t function = function_of(counts, node);

		if (counts->numbers[node] == SAMPLES_NONE)
			continue;
		counts->numbers[node] = n++;
		size += 2 * digits(n) + 2;
		if (function != SAMPLES_NONE)
			size += number_function(counts, function);
	}
	return size;
}

static bool is_same_series(const struct entry *a, const struct entry *b)
{
	return a->node == b->node && a->cgroup == b->cgroup;
}

/* Returns the bytes of JSON that the whole takes. */
static size_t size_of(struct counts *counts)
{
	size_t size = number_nodes(counts) + 24 * counts->n_cgroups + 200;

	for (size_t i = 0; i < counts->n; i++) {
		const struct entry *at = &counts->v[i];
		bool goes_on = i && is_same_series(&at[-1], at);

		if (!goes_on)
			size += digits(counts->numbers[at->node]) + digits(at->cgroup) + 5;
		size += digits(at->bin - (goes_on ? at[-1].bin : 0)) + digits(at->count) + 2;
	}
	return size;
}

/* Removes rare functions and merges bins in turn, until the result fits. */
static void fit(struct counts *counts, size_t room)
{
	unsigned int shift = 0, shift_max = FINE_SHIFT_MAX;

	for (bool rare = true;; rare = !rare) {
		reduce(counts, shift);
		counts->shift += shift;
		if (size_of(counts) <= room)
			return;
		if (counts->least > counts->n_samples) { /* no function is left */
			shift_max = SHIFT_MAX;
			if (counts->shift == SHIFT_MAX)
				return;
		}
		shift = !rare && counts->shift < shift_max;
		if (!shift)
			counts->least = counts->least ? 2 * counts->least : 2;
	}
}

/* ---- As JSON ---- */

static const char *name_of(const struct counts *counts, const struct function *function)
{
	return function->inlined ? function->inlined : counts->of->resolved[function->place].name;
}

/* Adds the text that a report shows for a place without a name. */
static void add_nameless(const struct counts *counts, struct json_object *object, uint32_t place)
{
	const struct resolved *resolved = &counts->of->resolved[place];
	char text[24];

	if (!resolved__is_without_symbols(resolved))
		snprintf(text, sizeof(text), "0x%" PRIx64,
			functions__address(counts->functions, place));
	else
		snprintf(text, sizeof(text), "%s",
			resolved->lack == SYMBOL_LACKS_MAPPING ? "[not mapped]" : "[no symbols]");
	json__add_text(object, "name", text);
	json__add_bool(object, "nameless", true);
}

static struct json_object *make_function(const struct counts *counts, uint32_t number)
{
	const struct function *function = functions__at(counts->functions, number);
	const struct place *place = place_of(counts, number);
	struct json_object *object = json_object_new_object();

	if (name_of(counts, function))
		json__add_text(object, "name", name_of(counts, function));
	else
		add_nameless(counts, object, function->place);
	if (place->sighting != SAMPLES_NONE)
		json__add_number(object, "dso", counts->dso_numbers[place->sighting]);
	if (place->in_kernel)
		json__add_bool(object, "kernel", true);
	if (function->inlined)
		json__add_bool(object, "inlined", true);
	return object;
}

static struct json_object *make_dso(const struct counts *counts, uint32_t sighting)
{
	const struct perfstamp_identity *identity = &counts->of->identities[sighting];
	struct json_object *object = json_object_new_object();

	json__add_text(object, "path", model__sighting(counts->model, sighting)->path);
	if (identity->build_id_size)
		json__add_bytes(object, "id", identity->build_id, identity->build_id_size);
	return object;
}

typedef struct json_object *(*make_fn)(const struct counts *counts, uint32_t i);

/*
 * Makes an array. If @numbers[i] is a number, the array's element with this number describes entry
 * i.
 */
static struct json_object *make_all(const struct counts *counts, const uint32_t *numbers, size_t n,
	size_t n_numbered, make_fn make)
{
	struct json_object *array = json_object_new_array_ext((int)n_numbered);

	for (size_t i = 0; array && i < n; i++)
		if (numbers[i] != SAMPLES_NONE)
			json_object_array_put_idx(array, numbers[i], make(counts, i));
	return array;
}

static void add_int(struct json_object *array, int64_t number)
{
	json_object_array_add(array, json_object_new_int64(number));
}

/*
 * Makes pairs of caller and function, callers first. A caller of -1 is none; a function of -1 is
 * the rest of its caller.
 */
static struct json_object *make_nodes(const struct counts *counts)
{
	struct json_object *array = json_object_new_array();

	for (uint32_t node = 0; array && node < 2 * counts->n_frames + 1; node++) {
		uint32_t parent = parent_of(counts, node), function = function_of(counts, node);

		if (counts->numbers[node] == SAMPLES_NONE)
			continue;
		add_int(array, parent == SAMPLES_NONE ? -1 : (int64_t)counts->numbers[parent]);
		add_int(array, function == SAMPLES_NONE
				       ? -1
				       : (int64_t)counts->function_numbers[function]);
	}
	return array;
}

/*
 * Makes an array for each node and cgroup: node, cgroup, then pairs of the distance in bins from
 * the last pair, and samples.
 */
static struct json_object *make_counts(const struct counts *counts)
{
	struct json_object *array = json_object_new_array(), *series = NULL;

	for (size_t i = 0; array && i < counts->n; i++) {
		const struct entry *at = &counts->v[i];
		bool goes_on = i && is_same_series(&at[-1], at);

		if (!goes_on) {
			series = json_object_new_array();
			if (!series)
				break;
			json_object_array_add(array, series);
			add_int(series, counts->numbers[at->node]);
			add_int(series, at->cgroup);
		}
		add_int(series, at->bin - (goes_on ? at[-1].bin : 0));
		add_int(series, at->count);
	}
	return array;
}

static struct json_object *make_cgroups(const struct counts *counts)
{
	struct json_object *array = json_object_new_array();
	char id[24];

	for (size_t i = 0; array && i < counts->n_cgroups; i++) {
		/* A number in JavaScript has only 53 bits. */
		snprintf(id, sizeof(id), "%" PRIu64, counts->cgroups[i]);
		json_object_array_add(array, json_object_new_string(id));
	}
	return array;
}

static void make(const struct counts *counts, struct json_object *object)
{
	uint64_t n = 0, rest = 0;

	for (size_t i = 0; i < counts->n; i++) {
		n += counts->v[i].count;
		if (counts->v[i].node >= counts->n_frames)
			rest += counts->v[i].count;
	}
	json__add_text(object, "event", counts->of->event_name);
	json__add_number(object, "samples", n);
	json__add_number(object, "rest", rest);
	json__add_bool(object, "chains", samples__has_chains(counts->of->samples));
	json__add_number(object, "shift", counts->shift);
	json_object_object_add(object, "cgroups", make_cgroups(counts));
	json_object_object_add(object, "dsos",
		make_all(counts, counts->dso_numbers, model__n_sightings(counts->model),
			counts->n_dsos, make_dso));
	json_object_object_add(object, "functions",
		make_all(counts, counts->function_numbers, counts->n_all_functions,
			counts->n_functions, make_function));
	json_object_object_add(object, "nodes", make_nodes(counts));
	json_object_object_add(object, "counts", make_counts(counts));
}

static int make_room(struct counts *counts)
{
	for (uint32_t i = 0; i < counts->n_frames; i++) {
		uint32_t function = chains__frame(counts->chains, i)->function;

		if (function >= counts->n_all_functions)
			counts->n_all_functions = function + 1;
	}
	counts->numbers = calloc(2 * (size_t)counts->n_frames + 1, sizeof(*counts->numbers));
	counts->function_numbers = calloc(
		counts->n_all_functions + 1, sizeof(*counts->function_numbers));
	counts->dso_numbers = calloc(
		model__n_sightings(counts->model) + 1, sizeof(*counts->dso_numbers));
	return counts->numbers && counts->function_numbers && counts->dso_numbers ? 0 : -ENOMEM;
}

static int count(struct counts *counts, struct timeline *timeline)
{
	const struct functions_options options = {.fold = true};
	const struct timeline_functions *of = counts->of;

	if (functions__new(&counts->functions, of->samples, counts->model, of->resolved,
		    of->identities, options) ||
		chains__new(&counts->chains, of->samples, counts->functions, true))
		return -ENOMEM;
	count_frames(counts);
	return number_cgroups(counts) || make_room(counts) ? -ENOMEM
							   : take_entries(counts, timeline);
}

struct json_object *timeline_functions__make(struct timeline *timeline, struct model *model,
	const struct timeline_functions *of, size_t room)
{
	struct counts counts = {.of = of, .model = model};
	struct json_object *object = NULL;

	if (!count(&counts, timeline)) {
		fit(&counts, room);
		object = json_object_new_object();
		if (object)
			make(&counts, object);
	}
	chains__free(counts.chains);
	functions__free(counts.functions);
	free(counts.totals);
	free(counts.cgroups);
	free(counts.v);
	free(counts.numbers);
	free(counts.function_numbers);
	free(counts.dso_numbers);
	return object;
}
