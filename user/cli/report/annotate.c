// SPDX-License-Identifier: GPL-2.0-only
/* See annotate.h. */
#include "user/cli/report/annotate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/symbols/code/code.h"
#include "user/symbols/source/texts.h"

static int read_sources(const struct annotate_request *request, const struct symbols_dso *dso,
	struct code *code, struct error *err)
{
	struct source_want *wants = calloc(code->n_sources + 1, sizeof(*wants));
	struct source_outcome outcome;
	int failed;

	if (!wants)
		return error__set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < code->n_sources; i++)
		wants[i] = (struct source_want){
			&code->sources[i], &code->v[code->sources[i].place].source};
	failed = source_texts__read(request->options, dso, wants, code->n_sources, &outcome, err);
	free(wants);
	return failed;
}

static int read_code(
	const struct annotate_request *request, uint32_t place, struct code *ret, struct error *err)
{
	const struct place *at = samples__place(request->view->samples, place);
	const struct symbols_dso dso = place_names__dso(
		request->names, request->view->samples, request->view->model, at);
	struct symbols_options options = *request->options;
	int failed;

	if (!place_names__has_content(model__sighting(request->view->model, at->sighting))) {
		*ret = (struct code){.lack = CODE_LACKS_CONTENT};
		return 0;
	}
	options.lines = options.sources = true;
	failed = code__read(ret, &options, &dso, at->offset, request->intel, err);
	if (failed)
		return failed;
	if (code__find_sources(ret))
		return error__set(err, -ENOMEM, "out of memory");
	return ret->n_sources ? read_sources(request, &dso, ret, err) : 0;
}

/* Writes an annotation for each event with samples in the function. */
static int write_events(FILE *out, const struct annotate_request *request, uint32_t place,
	const struct code *code, size_t *n, struct error *err)
{
	uint32_t n_events = samples__n_events(request->view->samples);
	int failed = 0;

	for (uint32_t event = 0; event < n_events && !failed; event++) {
		struct annotation annotation;

		failed = annotation__count(&annotation, code, request->view->samples,
			request->names->resolved, request->view->report, place, event);
		if (!failed && annotation.all_n) {
			failed = report_view__annotation(
				out, request->view, &annotation, request->percent, request->json);
			(*n)++;
		}
		annotation__free(&annotation);
	}
	return failed ? error__set(err, failed, "out of memory") : 0;
}

static bool is_wanted(const struct annotate_request *request, uint32_t place)
{
	const struct report_options *options = request->view->options;
	const struct place *at = samples__place(request->view->samples, place);
	const struct resolved *resolved = &request->names->resolved[place];

	return resolved->name && !strcmp(resolved->name, request->symbol) &&
	       at->sighting != SAMPLES_NONE &&
	       (!request->one_dso || at->sighting == request->sighting) &&
	       (!options->wants || options->wants(options->ctx, at, resolved));
}

static bool has_samples(const struct annotate_request *request, uint32_t place)
{
	const struct samples *samples = request->view->samples;

	for (size_t i = 0; i < samples__n(samples); i++) {
		uint32_t frame;

		if (report__counts(request->view->report, samples__at(samples, i), &frame) &&
			samples__frame(samples, frame)->place == place)
			return true;
	}
	return false;
}

/* A function that was written. A DSO can have several functions with one name. */
struct annotated {
	uint32_t sighting;
	struct code code;
};

static bool is_done(const struct annotated *done, size_t n, const struct place *place)
{
	for (size_t i = 0; i < n; i++)
		if (done[i].sighting == place->sighting && code__has(&done[i].code, place->offset))
			return true;
	return false;
}

int report_annotate__write(
	FILE *out, const struct annotate_request *request, size_t *ret_n, struct error *err)
{
	const struct samples *samples = request->view->samples;
	size_t n = samples__n_places(samples);
	struct annotated *done = calloc(n + 1, sizeof(*done));
	size_t n_done = 0;
	int failed = 0;

	*ret_n = 0;
	if (!done)
		return error__set(err, -ENOMEM, "out of memory");
	for (uint32_t i = 0; i < n && !failed; i++) {
		const struct place *place = samples__place(samples, i);
		struct annotated *annotated = &done[n_done];

		if (!is_wanted(request, i) || !has_samples(request, i) ||
			is_done(done, n_done, place))
			continue;
		annotated->sighting = place->sighting;
		failed = read_code(request, i, &annotated->code, err);
		n_done++;
		if (!failed)
			failed = write_events(out, request, i, &annotated->code, ret_n, err);
	}
	for (size_t i = 0; i < n_done; i++)
		code__free(&done[i].code);
	free(done);
	return failed;
}
