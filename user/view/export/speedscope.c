// SPDX-License-Identifier: GPL-2.0-only
/*
 * export__speedscope: speedscope's own format, with a profile for each thread and event, and its
 * samples in the order of their times. The format has no addresses, so all addresses without a name
 * are one frame for each mapping. The frames of functions come first, then those of mappings, then
 * those outside of mappings.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/view/export/profile.h"
#include "user/view/export/threads.h"
#include "user/view/format/json.h"

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"
#define SHORT_ID 6 /* bytes of a build-id that are shown */

static int write_string(FILE *out, struct export_profile *profile, const char *text)
{
	uint32_t number;

	if (export_profile__text(profile, text, &number))
		return -ENOMEM;
	json__write_text(out, texts__at(&profile->texts, number));
	return 0;
}

/* Writes "PATH (BUILD-ID)", which distinguishes builds. Returns 0 or -ENOMEM. */
static int write_dso(FILE *out, struct export_profile *profile, uint32_t mapping)
{
	uint32_t sighting = profile->mappings[mapping].sighting;
	const struct perfstamp_identity *identity = &profile->of->identities[sighting];
	const char *path = model__sighting(profile->of->model, sighting)->path;
	char hex[2 * SHORT_ID + 1], *text;
	int err;

	if (!identity->build_id_size)
		return write_string(out, profile, path);
	text__hex(hex, sizeof(hex), identity->build_id,
		identity->build_id_size < SHORT_ID ? identity->build_id_size : SHORT_ID);
	if (asprintf(&text, "%s (%s)", path, hex) < 0)
		return -ENOMEM;
	err = write_string(out, profile, text);
	free(text);
	return err;
}

static int write_frames(FILE *out, struct export_profile *profile)
{
	int err = 0;

	for (size_t i = 0; i < profile->n_functions && !err; i++) {
		const struct export_function *function = &profile->functions[i];

		fputs("{\"name\":", out);
		json__write_text(out, texts__at(&profile->texts, function->name));
		if (function->mapping != EXPORT_NONE) {
			fputs(",\"file\":", out);
			err = write_dso(out, profile, function->mapping);
		}
		fputs("},\n", out);
	}
	for (size_t i = 0; i < profile->n_mappings && !err; i++) {
		fputs("{\"name\":\"[unknown]\",\"file\":", out);
		err = write_dso(out, profile, i);
		fputs("},\n", out);
	}
	fputs("{\"name\":\"[not mapped]\"},\n{\"name\":\"[not mapped, in the kernel]\"}\n", out);
	return err;
}

/* Returns the frame of a place without a name. */
static size_t unnamed(const struct export_profile *profile, uint32_t place)
{
	uint32_t mapping = profile->places[place].mapping;

	if (mapping != EXPORT_NONE)
		return profile->n_functions + mapping;
	return profile->n_functions + profile->n_mappings +
	       samples__place(profile->of->samples, place)->in_kernel;
}

/* Writes the frames of a stack, outermost first. @path has room for all of them. */
static void write_stack(
	FILE *out, const struct export_profile *profile, uint32_t frame, uint32_t *path)
{
	const struct samples *samples = profile->of->samples;
	const char *comma = "";
	size_t n = 0;

	for (uint32_t at = frame; at != SAMPLES_NONE; at = samples__frame(samples, at)->parent)
		path[n++] = samples__frame(samples, at)->place;
	fputc('[', out);
	for (; n > 0; n--) {
		const struct export_place *place = &profile->places[path[n - 1]];

		for (size_t i = place->n_lines; i > 0; i--, comma = ",")
			fprintf(out, "%s%" PRIu32, comma,
				profile->lines[place->first_line + i - 1].function);
		if (!place->n_lines) {
			fprintf(out, "%s%zu", comma, unnamed(profile, path[n - 1]));
			comma = ",";
		}
	}
	fputc(']', out);
}

static int write_name(FILE *out, struct export_profile *profile, const struct export_thread *thread)
{
	const struct export_source *of = profile->of;
	char *text;
	int err;

	if (asprintf(&text, "%s (%" PRIu32 "/%" PRIu32 ")%s%s", thread->comm, thread->pid,
		    thread->tid, of->n_events > 1 ? ", " : "",
		    of->n_events > 1 ? of->events[thread->event].name : "") < 0)
		return -ENOMEM;
	err = write_string(out, profile, text);
	free(text);
	return err;
}

static int write_thread(FILE *out, struct export_profile *profile,
	const struct export_thread *thread, uint32_t *path)
{
	const struct export_source *of = profile->of;
	uint64_t total = 0;

	fputs("{\"type\":\"sampled\",\"name\":", out);
	if (write_name(out, profile, thread))
		return -ENOMEM;
	fprintf(out, ",\"unit\":\"%s\",\"samples\":[",
		of->events[thread->event].is_time ? "nanoseconds" : "none");
	for (size_t i = 0; i < thread->n; i++) {
		const struct export_sample *sample = &of->by_time[thread->v[i]];

		fputs(i ? ",\n" : "\n", out);
		write_stack(out, profile, samples__at(of->samples, sample->sum)->frame, path);
	}
	fputs("],\"weights\":[", out);
	for (size_t i = 0; i < thread->n; i++) {
		uint64_t period = of->by_time[thread->v[i]].period;

		fprintf(out, "%s%" PRIu64, i ? "," : "", period);
		total += period;
	}
	fprintf(out, "],\"startValue\":0,\"endValue\":%" PRIu64 "}", total);
	return 0;
}

/* Returns the thread that is shown first: the one with most samples. */
static size_t largest(const struct export_threads *threads)
{
	size_t found = 0;

	for (size_t i = 1; i < threads->n; i++)
		if (threads->v[i].n > threads->v[found].n)
			found = i;
	return found;
}

int export__speedscope(FILE *out, struct export_profile *profile)
{
	const struct export_source *of = profile->of;
	struct export_threads threads;
	size_t deepest = 0;
	uint32_t *path;
	int err = export_threads__find(&threads, profile);

	for (size_t i = 0; i < samples__n_frames(of->samples); i++)
		if (samples__frame(of->samples, i)->depth > deepest)
			deepest = samples__frame(of->samples, i)->depth;
	path = calloc(deepest + 1, sizeof(*path));
	if (!path)
		err = -ENOMEM;
	fputs("{\"$schema\":\"" SCHEMA "\",\"exporter\":\"perfstamp " PERFSTAMP_VERSION
	      "\",\"name\":",
		out);
	if (!err)
		err = write_string(out, profile, of->file);
	fprintf(out, ",\"activeProfileIndex\":%zu,\"shared\":{\"frames\":[\n", largest(&threads));
	if (!err)
		err = write_frames(out, profile);
	fputs("]},\"profiles\":[\n", out);
	for (size_t i = 0; i < threads.n && !err; i++) {
		fputs(i ? ",\n" : "", out);
		err = write_thread(out, profile, &threads.v[i], path);
	}
	fputs("]}\n", out);
	free(path);
	export_threads__free(&threads);
	return err;
}
