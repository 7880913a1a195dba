// SPDX-License-Identifier: GPL-2.0-only
/* See resolve.h. All places of one DSO are resolved together. */
#include "user/cli/profile/resolve.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/cli/cli.h"
#include "user/cli/progress_bar.h"
#include "user/event/code.h"
#include "user/source/kernel/sources.h"

struct symbols_batch {
	struct symbols_batch *next;
	struct symbol *symbols;
	size_t n;
};

/* The places by DSO: places of sighting s are from starts[s] to starts[s + 1]. */
struct by_dso {
	uint32_t *places;
	size_t *starts;
	size_t n_sightings;
};

struct resolving {
	struct place_names *names;
	const struct samples *samples;
	const struct input *input;
	struct symbols_options *options;
	const struct code_names *code_names;
};

static int sort_by_dso(struct by_dso *ret, const struct samples *samples, const struct input *input)
{
	size_t n = samples__n_places(samples), *at;

	ret->n_sightings = model__n_sightings(input->model);
	ret->places = calloc(n + 1, sizeof(*ret->places));
	ret->starts = calloc(ret->n_sightings + 2, sizeof(*ret->starts));
	if (!ret->places || !ret->starts)
		return -ENOMEM;
	at = ret->starts + 1;
	for (size_t i = 0; i < n; i++)
		if (samples__place(samples, i)->sighting != SAMPLES_NONE)
			at[samples__place(samples, i)->sighting + 1]++;
	for (size_t i = 1; i <= ret->n_sightings; i++)
		at[i] += at[i - 1];
	/* at[s] is the begin of s; filling moves it to the end of s. */
	for (size_t i = 0; i < n; i++)
		if (samples__place(samples, i)->sighting != SAMPLES_NONE)
			ret->places[at[samples__place(samples, i)->sighting]++] = i;
	return 0;
}

bool place_names__has_content(const struct sighting *sighting)
{
	const char *path = sighting->path;

	if (sighting->kernel || sighting->identity.build_id_size || sighting->identity.cookie_size)
		return true;
	return sighting->identity.reason != PERFSTAMP_REASON_ANONYMOUS && *path != '[' &&
	       strncmp(path, "//", 2) != 0;
}

/* Returns the identity from the sighting's records, or else from the table of the recording. */
static struct perfstamp_identity identity_of(
	const struct input *input, const struct sighting *sighting)
{
	struct perfstamp_identity identity = sighting->identity;
	const struct header_id *late;

	if (identity.build_id_size || identity.cookie_size)
		return identity;
	late = header_ids__find(&input->header_ids, sighting->path);
	if (late) {
		memcpy(identity.build_id, late->build_id, sizeof(identity.build_id));
		identity.build_id_size = late->build_id_size;
	}
	return identity;
}

static int add_batch(struct place_names *names, size_t n, struct symbols_batch **ret)
{
	struct symbols_batch *batch = calloc(1, sizeof(*batch));

	*ret = batch;
	if (!batch)
		return -ENOMEM;
	batch->next = names->batches;
	names->batches = batch;
	batch->symbols = calloc(n, sizeof(*batch->symbols));
	batch->n = batch->symbols ? n : 0;
	return batch->symbols ? 0 : -ENOMEM;
}

int place_names__identities(struct perfstamp_identity **ret, const struct input *input)
{
	size_t n = model__n_sightings(input->model);

	*ret = calloc(n + 1, sizeof(**ret));
	for (size_t i = 0; *ret && i < n; i++)
		(*ret)[i] = identity_of(input, model__sighting(input->model, i));
	return *ret ? 0 : -ENOMEM;
}

struct symbols_dso place_names__dso(const struct place_names *names, const struct samples *samples,
	struct model *model, const struct place *place)
{
	const struct sighting *sighting = model__sighting(model, place->sighting);
	const struct perfstamp_identity *identity = &names->identities[place->sighting];
	const struct kernel_dso *running = &names->running;

	return (struct symbols_dso){
		.path = sighting->path,
		.identity = identity,
		.text = place->text,
		.shared = sighting->n_contents > 1,
		.map_pgoff = place->map_pgoff,
		.map_len = place->map_len,
		.reference = samples__kernel_reference(samples),
		.osrelease = names->osrelease,
		.this_kernel = running->size && running->size == identity->build_id_size &&
			       !memcmp(running->build_id, identity->build_id, running->size),
	};
}

static int resolve_dso(struct resolving *resolving, const struct sighting *sighting,
	const uint32_t *places, size_t n, struct error *err)
{
	const struct symbols_dso dso = place_names__dso(resolving->names, resolving->samples,
		resolving->input->model, samples__place(resolving->samples, places[0]));
	struct symbols_outcome outcome;
	struct symbols_batch *batch;
	uint64_t *offsets = calloc(n, sizeof(*offsets));
	int failed = add_batch(resolving->names, n, &batch);

	if (!offsets || failed) {
		free(offsets);
		return error__set(err, -ENOMEM, "out of memory");
	}
	for (size_t i = 0; i < n; i++)
		offsets[i] = samples__place(resolving->samples, places[i])->offset;
	failed = symbols__resolve(
		resolving->options, &dso, offsets, n, batch->symbols, &outcome, err);
	free(offsets);
	if (failed)
		return failed;
	for (size_t i = 0; i < n; i++) {
		const struct symbol *symbol = &batch->symbols[i];

		resolving->names->resolved[places[i]] = (struct resolved){
			.name = symbol->name,
			.srcline = symbol->srcline,
			.source = symbol->source.path ? &symbol->source : NULL,
			.inlined = (const char *const *)symbol->inlined,
			.n_inlined = symbol->n_inlined,
			.calls = symbol->calls,
			.address = symbol->address,
			.has_address = symbol->has_address,
			.origin = symbol->origin,
			.lack = symbol->lack,
		};
	}
	if (outcome.server_failed) {
		resolving->names->server_failed = true;
		resolving->options->debuginfod = false;
	}
	resolving->names->n_unproven += outcome.unproven;
	resolving->names->files[sighting->index] = outcome.read;
	if (*outcome.said && !*resolving->names->said)
		memcpy(resolving->names->said, outcome.said, sizeof(outcome.said));
	return 0;
}

/* Resolves code made at run time. */
static void resolve_code(
	const struct code_names *names, const struct place *place, struct resolved *ret)
{
	static const enum symbol_lack LACKS[] = {
		[CODE_UNNAMED] = SYMBOL_LACKS_CONTENT,
		[CODE_UNDECIDED] = SYMBOL_LACKS_DECISION,
		[CODE_LATER] = SYMBOL_LACKS_NAME_THEN,
	};
	struct code_entry entry;

	if (place->verdict != CODE_NAMED) {
		ret->lack = LACKS[place->verdict];
		return;
	}
	entry = code_names__at(names, place->code);
	*ret = (struct resolved){
		.name = entry.name,
		.origin = entry.dump ? SYMBOL_JITDUMP : SYMBOL_PERF_MAP,
	};
}

/* Finds the source line from the jitdump. */
static int find_code_line(
	const struct code_names *names, const struct place *place, struct symbol *ret)
{
	const struct code_entry entry = code_names__at(names, place->code);
	uint32_t line;
	const char *slash, *file = code_details__line(code_names__details(names), entry.detail,
				   place->offset - entry.addr, &line);

	if (!file)
		return 0;
	slash = strrchr(file, '/');
	if (asprintf(&ret->srcline, "%s:%" PRIu32, slash ? slash + 1 : file, line) < 0) {
		ret->srcline = NULL;
		return -ENOMEM;
	}
	ret->source.path = strdup(file);
	ret->source.line = line;
	if (!ret->source.path)
		return -ENOMEM;
	return 0;
}

static int resolve_code_lines(struct resolving *resolving)
{
	size_t n = samples__n_places(resolving->samples);
	struct symbols_batch *batch;

	if (!resolving->options->lines || !resolving->code_names)
		return 0;
	if (add_batch(resolving->names, n, &batch))
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		const struct place *place = samples__place(resolving->samples, i);
		struct resolved *resolved = &resolving->names->resolved[i];
		struct symbol *symbol = &batch->symbols[i];

		if (place->sighting == SAMPLES_NONE || place->verdict != CODE_NAMED ||
			place->code == CODE_NAMES_NONE)
			continue;
		if (find_code_line(resolving->code_names, place, symbol))
			return -ENOMEM;
		resolved->srcline = symbol->srcline;
		resolved->source = symbol->source.path ? &symbol->source : NULL;
	}
	return 0;
}

/* Resolves places that need no file. */
static void resolve_others(struct resolving *resolving)
{
	size_t n = samples__n_places(resolving->samples);

	for (size_t i = 0; i < n; i++) {
		const struct place *place = samples__place(resolving->samples, i);
		struct resolved *ret = &resolving->names->resolved[i];

		if (place->sighting == SAMPLES_NONE)
			ret->lack = SYMBOL_LACKS_MAPPING;
		else if (place->text == MODEL_TEXT_SYMBOL)
			*ret = (struct resolved){
				.name = model__sighting(resolving->input->model, place->sighting)
						->path,
				.origin = SYMBOL_RECORDED,
			};
		else /* pending until its DSO is resolved */
			resolve_code(resolving->code_names, place, ret);
	}
}

static int resolve_all(struct resolving *resolving, const struct by_dso *by, struct error *err)
{
	int failed = 0;

	progress_bar__begin(PROGRESS_ITEMS, "finding symbols of", NULL);
	for (size_t i = 0; i < by->n_sightings && !failed; i++) {
		const struct sighting *sighting = model__sighting(resolving->input->model, i);
		size_t n = by->starts[i + 1] - by->starts[i];

		if (!n || sighting->symbol || !place_names__has_content(sighting) ||
			(resolving->code_names && event_code__is_memory(sighting->path)))
			continue;
		progress_bar__detail(sighting->path);
		progress_bar__set(i, by->n_sightings);
		failed = resolve_dso(resolving, sighting, by->places + by->starts[i], n, err);
	}
	progress_bar__end();
	return failed;
}

static void find_running(struct place_names *names)
{
	struct kernel_ids ids;
	struct error err;

	kernel_ids__init(&ids);
	if (!kernel_sources__notes_file(&ids, "/sys/kernel/notes", &err))
		names->running = ids.kernel;
	kernel_ids__free(&ids);
}

int place_names__find(struct place_names *ret, const struct samples *samples,
	const struct input *input, struct symbols_options *options,
	const struct code_names *code_names, struct error *err)
{
	struct resolving resolving = {
		.code_names = code_names,
		.names = ret,
		.samples = samples,
		.input = input,
		.options = options,
	};
	struct by_dso by = {0};
	int failed = 0;

	*ret = (struct place_names){.osrelease = input->osrelease};
	ret->resolved = calloc(samples__n_places(samples) + 1, sizeof(*ret->resolved));
	ret->files = calloc(model__n_sightings(input->model) + 1, sizeof(*ret->files));
	if (!ret->resolved || !ret->files)
		return error__set(err, -ENOMEM, "out of memory");
	if (place_names__identities(&ret->identities, input) || sort_by_dso(&by, samples, input)) {
		failed = error__set(err, -ENOMEM, "out of memory");
	} else {
		find_running(ret);
		resolve_others(&resolving);
		failed = resolve_code_lines(&resolving) ? error__set(err, -ENOMEM, "out of memory")
							: resolve_all(&resolving, &by, err);
	}
	free(by.places);
	free(by.starts);
	return failed;
}

void place_names__free(struct place_names *names)
{
	struct symbols_batch *batch = names->batches, *next;

	for (; batch; batch = next) {
		next = batch->next;
		symbols__free(batch->symbols, batch->n);
		free(batch->symbols);
		free(batch);
	}
	free(names->identities);
	free(names->files);
	free(names->resolved);
}

void place_names__warn_of_force(const struct place_names *names)
{
	if (names->n_unproven)
		cli__fail("warning: %zu DSOs without an identity were resolved with the files "
			  "currently at their paths, because of --force",
			names->n_unproven);
}

void place_names__warn_of_server(const struct place_names *names)
{
	place_names__warn_of("", names->said, names->server_failed);
}

void place_names__warn_of(const char *of, const char *said, bool server_failed)
{
	if (*said)
		cli__fail("warning: %s%s%s", of, said,
			server_failed ? "; nothing more was asked for" : "");
}
