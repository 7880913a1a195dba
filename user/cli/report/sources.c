// SPDX-License-Identifier: GPL-2.0-only
/* See sources.h. Lines are counted in a separate report, in which a line has its whole path. */
#include "user/cli/report/sources.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/symbols/source/texts.h"

struct report_sources {
	struct resolved *resolved; /* the names, with whole paths */
	size_t n;
	struct report_options options;
	struct report *report;
	struct sources sources;
	char said[SYMBOLS_SAID_MAX];
};

static int resolve(
	struct report_sources *to, const struct samples *samples, const struct place_names *names)
{
	size_t n = samples__n_places(samples);

	to->resolved = calloc(n + 1, sizeof(*to->resolved));
	if (!to->resolved)
		return -ENOMEM;
	for (; to->n < n; to->n++) {
		struct resolved *resolved = &to->resolved[to->n];
		char *line = NULL;

		*resolved = names->resolved[to->n];
		resolved->n_inlined = 0;
		if (resolved->source && asprintf(&line, "%s:%u", resolved->source->path,
						resolved->source->line) < 0)
			return -ENOMEM;
		resolved->srcline = line;
	}
	return 0;
}

static uint32_t sighting_of(const struct samples *samples, const struct source_want *want)
{
	return samples__place(samples, want->file->place)->sighting;
}

static int by_sighting(const void *a, const void *b, void *ctx)
{
	const struct source_want *x = a, *y = b;
	uint32_t of_x = sighting_of(ctx, x), of_y = sighting_of(ctx, y);

	if (of_x != of_y)
		return of_x < of_y ? -1 : 1;
	return x->file < y->file ? -1 : x->file > y->file;
}

static int read_dso(struct report_sources *to, const struct sighting *sighting,
	const struct place_names *names, struct symbols_options *options,
	const struct source_want *wants, size_t n, struct error *err)
{
	const struct symbols_dso dso = {
		.path = sighting->path,
		.identity = &names->identities[sighting->index],
		.shared = sighting->n_contents > 1,
	};
	struct source_outcome outcome;
	int failed = source_texts__read(options, &dso, wants, n, &outcome, err);

	if (failed)
		return failed;
	options->debuginfod &= !outcome.server_failed;
	if (!*to->said)
		memcpy(to->said, outcome.said, sizeof(to->said));
	return 0;
}

static int read_all(struct report_sources *to, const struct samples *samples, struct model *model,
	const struct place_names *names, struct symbols_options *options, struct error *err)
{
	struct sources *sources = &to->sources;
	struct source_want *wants = calloc(sources->n + 1, sizeof(*wants));
	int failed = 0;
	size_t n;

	if (!wants)
		return error__set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < sources->n; i++)
		wants[i] = (struct source_want){
			&sources->files[i], to->resolved[sources->files[i].place].source};
	qsort_r(wants, sources->n, sizeof(*wants), by_sighting, (void *)samples);
	for (size_t i = 0; !failed && i < sources->n; i += n) {
		uint32_t sighting = sighting_of(samples, &wants[i]);

		for (n = 1; i + n < sources->n && sighting_of(samples, &wants[i + n]) == sighting;)
			n++;
		failed = read_dso(
			to, model__sighting(model, sighting), names, options, wants + i, n, err);
	}
	if (options->progress)
		fputs("\r\033[K", stderr);
	free(wants);
	return failed;
}

int report_sources__find(struct report_sources **ret, const struct samples *samples,
	struct model *model, const struct place_names *names, const struct report_options *report,
	const struct symbols_options *options, double percent, uint32_t around, struct error *err)
{
	struct report_sources *to = calloc(1, sizeof(*to));
	struct symbols_options reading = *options;

	*ret = to;
	if (!to)
		return error__set(err, -ENOMEM, "out of memory");
	to->options = report_options__by(report, REPORT_DSO, REPORT_SRCLINE);
	if (resolve(to, samples, names) ||
		report__new(&to->report, samples, model, to->resolved, &to->options) ||
		sources__find(&to->sources, to->report, to->resolved, percent, around))
		return error__set(err, -ENOMEM, "out of memory");
	return read_all(to, samples, model, names, &reading, err);
}

int report_sources__write(
	FILE *out, const struct report_sources *sources, const struct report_view *view, bool json)
{
	struct report_view shown = *view;

	shown.report = sources->report;
	shown.resolved = sources->resolved;
	shown.options = &sources->options;
	return report_view__sources(out, &shown, &sources->sources, json);
}

const char *report_sources__said(const struct report_sources *sources)
{
	return sources->said;
}

void report_sources__free(struct report_sources *sources)
{
	if (!sources)
		return;
	for (size_t i = 0; i < sources->n; i++)
		free((char *)sources->resolved[i].srcline);
	sources__free(&sources->sources);
	report__free(sources->report);
	free(sources->resolved);
	free(sources);
}
