// SPDX-License-Identifier: GPL-2.0-only
/* See firefox_private.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/base/text.h"
#include "user/view/export/firefox_private.h"
#include "user/view/format/json.h"
#include "user/view/loss.h"

enum marker_kind { MARKER_REPLACED, MARKER_LOADED, MARKER_UNLOADED, MARKER_LOST, MARKERS };

static const char *const NAMES[MARKERS] = {
	[MARKER_REPLACED] = "Replaced",
	[MARKER_LOADED] = "Module loaded",
	[MARKER_UNLOADED] = "Module unloaded",
	[MARKER_LOST] = "Lost",
};

struct firefox_marker {
	enum marker_kind kind;
	uint64_t begin_ns;
	uint64_t end_ns;  /* equal to .begin_ns: an instant */
	const char *what; /* a path, a module, or the cause of a loss */
	char *cause;      /* the copy to which .what points, or NULL */
	const uint8_t *build_id;
	uint8_t build_id_size;
	uint64_t n; /* number of lost records */
};

static int add(struct firefox_markers *markers, const struct firefox_marker *marker)
{
	const struct export_source *of = markers->profile->of;

	if (marker->end_ns < of->begin_ns || marker->begin_ns > of->end_ns)
		return 0;
	if (array__reserve(&markers->v, &markers->room, markers->n + 1, sizeof(*markers->v)))
		return -ENOMEM;
	markers->v[markers->n++] = *marker;
	return 0;
}

static int add_replacements(struct firefox_markers *markers)
{
	const struct export_source *of = markers->profile->of;

	for (size_t i = 0; i < model__n_sightings(of->model); i++) {
		const struct sighting *sighting = model__sighting(of->model, i);
		struct firefox_marker marker = {
			.kind = MARKER_REPLACED,
			.what = sighting->path,
			.build_id = of->identities[i].build_id,
			.build_id_size = of->identities[i].build_id_size,
		};
		struct sighting_lives lives;

		model__lives(of->model, i, &lives);
		for (size_t k = 0; k < lives.n_switches; k++) {
			marker.begin_ns = marker.end_ns = lives.switches[k].time_ns;
			if (add(markers, &marker))
				return -ENOMEM;
		}
	}
	return 0;
}

static int add_modules(struct firefox_markers *markers)
{
	const struct model *model = markers->profile->of->model;

	for (size_t i = 0; i < model__n_modules(model); i++) {
		const struct module_life *life = model__module(model, i);
		struct firefox_marker marker = {
			.kind = MARKER_LOADED,
			.what = life->name,
			.begin_ns = life->loaded_ns,
			.end_ns = life->loaded_ns,
			.build_id = life->build_id,
			.build_id_size = life->build_id_size,
		};

		if (!life->snapshot && life->loaded_ns && add(markers, &marker))
			return -ENOMEM;
		marker.kind = MARKER_UNLOADED;
		marker.begin_ns = marker.end_ns = life->unloaded_ns;
		if (life->unloaded && life->unloaded_ns && add(markers, &marker))
			return -ENOMEM;
	}
	return 0;
}

static int add_losses(struct firefox_markers *markers)
{
	const struct export_source *of = markers->profile->of;
	const char *cursor = NULL;
	struct loss loss;

	while (loss__next(of->stamp, of->stamp_size, &cursor, &loss)) {
		struct firefox_marker marker = {
			.kind = MARKER_LOST,
			.begin_ns = loss.begin_ns,
			.end_ns = loss.end_ns,
			.cause = strdup(loss.cause),
			.n = loss.n,
		};
		size_t n = markers->n;

		marker.what = marker.cause;
		if (!marker.cause || add(markers, &marker)) {
			free(marker.cause);
			return -ENOMEM;
		}
		if (markers->n == n)
			free(marker.cause);
	}
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct firefox_marker *x = a, *y = b;

	if (x->begin_ns != y->begin_ns)
		return x->begin_ns < y->begin_ns ? -1 : 1;
	return strcmp(x->what, y->what);
}

int firefox_markers__find(struct firefox_markers *ret, struct export_profile *profile)
{
	_Static_assert(sizeof(ret->names) / sizeof(ret->names[0]) == MARKERS, "one for each");

	*ret = (struct firefox_markers){.profile = profile};
	for (size_t i = 0; i < MARKERS; i++)
		if (texts__add(&profile->texts, NAMES[i], &ret->names[i]))
			return -ENOMEM;
	if (add_replacements(ret) || add_modules(ret) || add_losses(ret))
		return -ENOMEM;
	if (ret->n)
		qsort(ret->v, ret->n, sizeof(*ret->v), by_time);
	return 0;
}

void firefox_markers__free(struct firefox_markers *markers)
{
	for (size_t i = 0; i < markers->n; i++)
		free(markers->v[i].cause);
	free(markers->v);
}

static void write_escaped(FILE *out, const char *text)
{
	char escaped[4 * PERFSTAMP_PATH_MAX + 1];

	text__escape(escaped, sizeof(escaped), text);
	json__write_text(out, escaped);
}

static void write_data(FILE *out, const struct firefox_marker *marker)
{
	char hex[2 * PERFSTAMP_BUILD_ID_MAX + 1];

	fprintf(out, "{\"type\":\"%s\"", NAMES[marker->kind]);
	switch (marker->kind) {
	case MARKER_REPLACED:
		fputs(",\"path\":", out);
		break;
	case MARKER_LOST:
		fprintf(out, ",\"count\":%" PRIu64 ",\"cause\":", marker->n);
		break;
	default:
		fputs(",\"module\":", out);
		break;
	}
	write_escaped(out, marker->what);
	if (marker->kind != MARKER_LOST) {
		text__hex(hex, sizeof(hex), marker->build_id, marker->build_id_size);
		fprintf(out, ",\"build_id\":\"%s\"", hex);
	}
	fputc('}', out);
}

/* Writes the time of @ns in the profile, or null. */
static void write_ms(FILE *out, const struct export_source *of, bool known, uint64_t ns)
{
	if (!known)
		fputs("null", out);
	else
		fprintf(out, "%.6f", ns > of->begin_ns ? (double)(ns - of->begin_ns) / 1e6 : 0);
}

static bool is_interval(const struct firefox_marker *marker)
{
	return marker->end_ns > marker->begin_ns;
}

void firefox_markers__write(
	FILE *out, const struct firefox_markers *markers, const struct export_source *of)
{
	static const char *const COLUMNS[] = {
		"name", "startTime", "endTime", "phase", "category", "data"};
	size_t n = markers ? markers->n : 0;

	fprintf(out, "{\"length\":%zu", n);
	for (size_t column = 0; column < sizeof(COLUMNS) / sizeof(*COLUMNS); column++) {
		fprintf(out, ",\"%s\":[", COLUMNS[column]);
		for (size_t i = 0; i < n; i++) {
			const struct firefox_marker *marker = &markers->v[i];

			fputs(i ? "," : "", out);
			if (column == 0)
				fprintf(out, "%" PRIu32, markers->names[marker->kind]);
			else if (column == 1)
				write_ms(out, of, true, marker->begin_ns);
			else if (column == 2)
				write_ms(out, of, is_interval(marker), marker->end_ns);
			else if (column == 5)
				write_data(out, marker);
			else
				fputs(column == 3 && is_interval(marker) ? "1" : "0", out);
		}
		fputc(']', out);
	}
	fputc('}', out);
}

void firefox_markers__write_schemas(FILE *out)
{
	static const char *const FIELDS[MARKERS] = {
		[MARKER_REPLACED] = "path",
		[MARKER_LOADED] = "module",
		[MARKER_UNLOADED] = "module",
		[MARKER_LOST] = "cause",
	};
	static const char *const DESCRIPTIONS[MARKERS] = {
		[MARKER_REPLACED] = "Another build was mapped at this path than before.",
		[MARKER_LOADED] = "A kernel module was loaded.",
		[MARKER_UNLOADED] = "A kernel module was unloaded.",
		[MARKER_LOST] = "Records were lost.",
	};

	fputc('[', out);
	for (size_t i = 0; i < MARKERS; i++) {
		bool loss = i == MARKER_LOST;

		fprintf(out,
			"%s{\"name\":\"%s\",\"tableLabel\":\"{marker.data.%s}\","
			"\"tooltipLabel\":\"%s\",\"chartLabel\":\"{marker.data.%s}\","
			"\"display\":[\"marker-chart\",\"marker-table\",\"timeline-overview\"],"
			"\"description\":\"%s\",\"fields\":["
			"{\"key\":\"%s\",\"label\":\"%s\",\"format\":\"string\"},"
			"{\"key\":\"%s\",\"label\":\"%s\",\"format\":\"%s\"}]}",
			i ? "," : "", NAMES[i], FIELDS[i], NAMES[i], FIELDS[i], DESCRIPTIONS[i],
			FIELDS[i],
			loss                   ? "Cause"
			: i == MARKER_REPLACED ? "Path"
					       : "Module",
			loss ? "count" : "build_id", loss ? "Records" : "Build-id",
			loss ? "integer" : "string");
	}
	fputc(']', out);
}
