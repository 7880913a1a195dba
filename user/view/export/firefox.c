// SPDX-License-Identifier: GPL-2.0-only
/*
 * export__firefox: the processed profile format of the Firefox Profiler, version 60, gzipped; newer
 * profilers convert it. All threads share the tables. Times are in ms from the first sample.
 * Addresses count from the start of a library's lowest page, as on the profiler's symbol servers.
 * The first thread has no samples but the markers (firefox_markers.c).
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/view/export/firefox_private.h"
#include "user/view/export/gzip.h"
#include "user/view/export/threads.h"
#include "user/view/format/json.h"

enum category { CATEGORY_OTHER, CATEGORY_USER, CATEGORY_KERNEL, CATEGORY_JIT };

#define CATEGORIES                                                                                 \
	"{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]},"                   \
	"{\"name\":\"User\",\"color\":\"yellow\",\"subcategories\":[\"Other\"]},"                  \
	"{\"name\":\"Kernel\",\"color\":\"orange\",\"subcategories\":[\"Other\"]},"                \
	"{\"name\":\"Code made at run time\",\"color\":\"green\",\"subcategories\":[\"Other\"]}"

#define GUID_SIZE 16

/* A row of the frame table. */
struct row {
	uint32_t place;
	/* 0: the function that the symbol names; else inlined into the one before */
	uint32_t depth;
};

struct firefox {
	FILE *out;
	struct export_profile *profile;
	struct row *rows;
	size_t n_rows;
	uint32_t *first_row;      /* for each place */
	uint32_t *unnamed;        /* for each place without a name: number of its function */
	uint32_t *unnamed_places; /* places of these functions, in their order */
	size_t n_unnamed;
	uint32_t *source_of; /* for each text that is a source file: number of the source */
	uint32_t *sources;   /* for each source: number of its text */
	size_t n_sources;
	uint32_t *stack; /* for each frame: its innermost entry of the stack table */
	struct firefox_markers markers;
};

static void write_list(FILE *out, const char *name, size_t n,
	void (*write)(const struct firefox *firefox, size_t i), const struct firefox *firefox)
{
	fprintf(out, ",\"%s\":[", name);
	for (size_t i = 0; i < n; i++) {
		if (i)
			fputc(',', out);
		write(firefox, i);
	}
	fputc(']', out);
}

/* Writes a column that has the same value in all rows. */
static void write_same(FILE *out, const char *name, size_t n, const char *value)
{
	fprintf(out, ",\"%s\":[", name);
	for (size_t i = 0; i < n; i++)
		fprintf(out, "%s%s", i ? "," : "", value);
	fputc(']', out);
}

/* ---- Libraries ---- */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/*
 * Writes Breakpad's id: a GUID of the first bytes, whose first three parts are little-endian
 * numbers, followed by an age of 0.
 */
static void breakpad_id(const struct perfstamp_identity *identity, char *ret)
{
	static const uint8_t ORDER[GUID_SIZE] = {
		3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
	uint8_t bytes[PERFSTAMP_BUILD_ID_MAX] = {0};

	memcpy(bytes, identity->build_id, identity->build_id_size);
	for (size_t i = 0; i < GUID_SIZE; i++)
		snprintf(ret + 2 * i, 4, "%02X0", bytes[ORDER[i]]);
}

static int write_libraries(struct firefox *firefox)
{
	struct export_profile *profile = firefox->profile;
	char breakpad[2 * GUID_SIZE + 2], hex[2 * PERFSTAMP_BUILD_ID_MAX + 1];
	FILE *out = firefox->out;
	uint32_t path, name;

	fputs(",\"libs\":[", out);
	for (size_t i = 0; i < profile->n_mappings; i++) {
		const struct export_mapping *mapping = &profile->mappings[i];
		const struct sighting *sighting = model__sighting(
			profile->of->model, mapping->sighting);
		const struct perfstamp_identity *identity =
			&profile->of->identities[mapping->sighting];

		if (export_profile__text(profile, sighting->path, &path) ||
			export_profile__text(profile, base_name(sighting->path), &name))
			return -ENOMEM;
		breakpad_id(identity, breakpad);
		text__hex(hex, sizeof(hex), identity->build_id, identity->build_id_size);
		fputs(i ? ",\n{\"name\":" : "\n{\"name\":", out);
		json__write_text(out, texts__at(&profile->texts, name));
		fputs(",\"debugName\":", out);
		json__write_text(out, texts__at(&profile->texts, name));
		fputs(",\"path\":", out);
		json__write_text(out, texts__at(&profile->texts, path));
		fputs(",\"debugPath\":", out);
		json__write_text(out, texts__at(&profile->texts, path));
		fputs(",\"arch\":", out);
		json__write_text(out, profile->of->arch ? profile->of->arch : "");
		fprintf(out, ",\"breakpadId\":\"%s\",\"codeId\":",
			identity->build_id_size ? breakpad : "");
		if (identity->build_id_size)
			fprintf(out, "\"%s\"}", hex);
		else
			fputs("null}", out);
	}
	fputs("]", out);
	return 0;
}

/* ---- Tables ---- */

static int find_sources(struct firefox *firefox)
{
	const struct export_profile *profile = firefox->profile;

	firefox->source_of = calloc(profile->texts.n + 1, sizeof(*firefox->source_of));
	firefox->sources = calloc(profile->n_functions + 1, sizeof(*firefox->sources));
	if (!firefox->source_of || !firefox->sources)
		return -ENOMEM;
	for (size_t i = 0; i < profile->n_functions; i++) {
		uint32_t file = profile->functions[i].file;

		if (!file ||
			(firefox->n_sources && firefox->sources[firefox->source_of[file]] == file))
			continue;
		firefox->source_of[file] = firefox->n_sources;
		firefox->sources[firefox->n_sources++] = file;
	}
	return 0;
}

/* Makes a row for each function at a used place, and one for each place without a function. */
static int find_rows(struct firefox *firefox)
{
	const struct export_profile *profile = firefox->profile;
	size_t n_places = samples__n_places(profile->of->samples);

	firefox->first_row = calloc(n_places + 1, sizeof(*firefox->first_row));
	firefox->unnamed = calloc(n_places + 1, sizeof(*firefox->unnamed));
	firefox->unnamed_places = calloc(n_places + 1, sizeof(*firefox->unnamed_places));
	firefox->rows = calloc(n_places + profile->n_lines + 1, sizeof(*firefox->rows));
	firefox->stack = calloc(
		samples__n_frames(profile->of->samples) + 1, sizeof(*firefox->stack));
	if (!firefox->first_row || !firefox->unnamed || !firefox->unnamed_places ||
		!firefox->rows || !firefox->stack)
		return -ENOMEM;
	for (size_t i = 0; i < n_places; i++) {
		const struct export_place *place = &profile->places[i];
		uint32_t depth = 0;

		if (!place->used)
			continue;
		firefox->first_row[i] = firefox->n_rows;
		if (!place->n_lines) {
			firefox->unnamed[i] = profile->n_functions + firefox->n_unnamed;
			firefox->unnamed_places[firefox->n_unnamed++] = i;
		}
		do
			firefox->rows[firefox->n_rows++] = (struct row){i, depth++};
		while (depth < place->n_lines);
	}
	return 0;
}

/* Writes the columns of the stack table, in which the entries of one frame are adjacent. */
static void write_stacks(struct firefox *firefox)
{
	const struct export_profile *profile = firefox->profile;
	const struct samples *samples = profile->of->samples;
	FILE *out = firefox->out;
	uint32_t n = 0;

	for (int column = 0; column <= 1; column++) {
		fputs(column ? ",\"frame\":[" : "\"stackTable\":{\"prefix\":[", out);
		n = 0;
		for (size_t i = 0; i < samples__n_frames(samples); i++) {
			const struct frame *frame = samples__frame(samples, i);
			uint32_t rows = profile->places[frame->place].n_lines;

			if (!profile->frames[i])
				continue;
			for (uint32_t depth = 0; !depth || depth < rows; depth++, n++) {
				fputs(n ? "," : "", out);
				if (column)
					fprintf(out, "%" PRIu32,
						firefox->first_row[frame->place] + depth);
				else if (depth)
					fprintf(out, "%" PRIu32, n - 1);
				else if (frame->parent == SAMPLES_NONE)
					fputs("null", out);
				else
					fprintf(out, "%" PRIu32, firefox->stack[frame->parent]);
			}
			firefox->stack[i] = n - 1;
		}
		fputc(']', out);
	}
	fprintf(out, ",\"length\":%" PRIu32 "}", n);
}

static const struct export_place *place_of(const struct firefox *firefox, size_t row)
{
	return &firefox->profile->places[firefox->rows[row].place];
}

/* Returns NULL for a place without a name. */
static const struct export_line *line_of(const struct firefox *firefox, size_t row)
{
	const struct export_place *place = place_of(firefox, row);

	return place->n_lines ? &firefox->profile->lines[place->first_line + place->n_lines - 1 -
							 firefox->rows[row].depth]
			      : NULL;
}

static void write_address(const struct firefox *firefox, size_t row)
{
	const struct export_place *place = place_of(firefox, row);
	const struct export_mapping *mapping;
	uint64_t base = 0;

	if (place->mapping == EXPORT_NONE) {
		fputs("-1", firefox->out);
		return;
	}
	mapping = &firefox->profile->mappings[place->mapping];
	if (mapping->text == MODEL_TEXT_USER)
		base = firefox->profile->of->files[mapping->sighting].base;
	else
		base = mapping->start;
	fprintf(firefox->out, "%" PRIu64, place->address - base);
}

static void write_depth(const struct firefox *firefox, size_t row)
{
	fprintf(firefox->out, "%" PRIu32, firefox->rows[row].depth);
}

static void write_category(const struct firefox *firefox, size_t row)
{
	const struct place *place = samples__place(
		firefox->profile->of->samples, firefox->rows[row].place);
	enum category category = CATEGORY_USER;

	if (place->in_kernel)
		category = CATEGORY_KERNEL;
	else if (place->code != CODE_NAMES_NONE)
		category = CATEGORY_JIT;
	else if (place->text == MODEL_TEXT_NONE)
		category = CATEGORY_OTHER;
	fprintf(firefox->out, "%d", category);
}

static void write_function(const struct firefox *firefox, size_t row)
{
	const struct export_line *line = line_of(firefox, row);

	fprintf(firefox->out, "%" PRIu32,
		line ? line->function : firefox->unnamed[firefox->rows[row].place]);
}

static void write_line(const struct firefox *firefox, size_t row)
{
	const struct export_line *line = line_of(firefox, row);

	if (line && line->line)
		fprintf(firefox->out, "%" PRIu32, line->line);
	else
		fputs("null", firefox->out);
}

static void write_frames(const struct firefox *firefox)
{
	size_t n = firefox->n_rows;
	FILE *out = firefox->out;

	fprintf(out, ",\n\"frameTable\":{\"length\":%zu", n);
	write_list(out, "address", n, write_address, firefox);
	write_list(out, "inlineDepth", n, write_depth, firefox);
	write_list(out, "category", n, write_category, firefox);
	write_same(out, "subcategory", n, "0");
	write_list(out, "func", n, write_function, firefox);
	write_same(out, "nativeSymbol", n, "null");
	write_same(out, "innerWindowID", n, "0");
	write_list(out, "line", n, write_line, firefox);
	write_same(out, "column", n, "null");
	fputs("}", out);
}

/* The functions for places without a name follow all others. */
static uint32_t mapping_of(const struct firefox *firefox, size_t function)
{
	const struct export_profile *profile = firefox->profile;

	if (function < profile->n_functions)
		return profile->functions[function].mapping;
	return profile->places[firefox->unnamed_places[function - profile->n_functions]].mapping;
}

static void write_function_name(const struct firefox *firefox, size_t function)
{
	const struct export_profile *profile = firefox->profile;

	/* The texts for places without a name follow all others: see write_strings(). */
	if (function < profile->n_functions)
		fprintf(firefox->out, "%" PRIu32, profile->functions[function].name);
	else
		fprintf(firefox->out, "%zu", profile->texts.n + function - profile->n_functions);
}

static void write_resource(const struct firefox *firefox, size_t function)
{
	uint32_t mapping = mapping_of(firefox, function);

	fprintf(firefox->out, "%" PRId64, mapping == EXPORT_NONE ? -1 : (int64_t)mapping);
}

static void write_source(const struct firefox *firefox, size_t function)
{
	const struct export_profile *profile = firefox->profile;

	if (function < profile->n_functions && profile->functions[function].file)
		fprintf(firefox->out, "%" PRIu32,
			firefox->source_of[profile->functions[function].file]);
	else
		fputs("null", firefox->out);
}

static void write_functions(const struct firefox *firefox)
{
	size_t n = firefox->profile->n_functions + firefox->n_unnamed;
	FILE *out = firefox->out;

	fprintf(out, ",\n\"funcTable\":{\"length\":%zu", n);
	write_list(out, "name", n, write_function_name, firefox);
	write_same(out, "isJS", n, "false");
	write_same(out, "relevantForJS", n, "false");
	write_list(out, "resource", n, write_resource, firefox);
	write_list(out, "source", n, write_source, firefox);
	write_same(out, "lineNumber", n, "null");
	write_same(out, "columnNumber", n, "null");
	fputs("}", out);
}

static void write_number(const struct firefox *firefox, size_t i)
{
	fprintf(firefox->out, "%zu", i);
}

static int write_resources(struct firefox *firefox)
{
	struct export_profile *profile = firefox->profile;
	size_t n = profile->n_mappings;
	FILE *out = firefox->out;

	fprintf(out, ",\n\"resourceTable\":{\"length\":%zu", n);
	write_list(out, "lib", n, write_number, firefox);
	fputs(",\"name\":[", out);
	for (size_t i = 0; i < n; i++) {
		const char *path =
			model__sighting(profile->of->model, profile->mappings[i].sighting)->path;
		uint32_t name;

		if (export_profile__text(profile, base_name(path), &name))
			return -ENOMEM;
		fprintf(out, "%s%" PRIu32, i ? "," : "", name);
	}
	fputc(']', out);
	write_same(out, "host", n, "null");
	write_same(out, "type", n, "1"); /* a library */
	fputs("}", out);
	return 0;
}

static void write_source_text(const struct firefox *firefox, size_t source)
{
	fprintf(firefox->out, "%" PRIu32, firefox->sources[source]);
}

/* Writes the texts, and then the addresses that are the names of places without a function. */
static void write_strings(const struct firefox *firefox)
{
	const struct export_profile *profile = firefox->profile;
	size_t n = profile->texts.n;
	FILE *out = firefox->out;

	fprintf(out, ",\n\"sources\":{\"length\":%zu", firefox->n_sources);
	write_same(out, "uuid", firefox->n_sources, "null");
	write_list(out, "filename", firefox->n_sources, write_source_text, firefox);
	fputs("},\n\"stringArray\":[", out);
	for (size_t i = 0; i < n; i++) {
		fputs(i ? ",\n" : "", out);
		json__write_text(out, texts__at(&profile->texts, i));
	}
	for (size_t i = 0; i < firefox->n_unnamed; i++)
		fprintf(out, ",\"0x%" PRIx64 "\"",
			profile->places[firefox->unnamed_places[i]].address);
	fputc(']', out);
}

static int write_shared(struct firefox *firefox)
{
	FILE *out = firefox->out;

	fputs(",\n\"shared\":{", out);
	write_stacks(firefox);
	write_frames(firefox);
	/*
	 * This adds the names of mappings to the texts, and must precede writing the number of a
	 * later text.
	 */
	if (write_resources(firefox))
		return -ENOMEM;
	write_functions(firefox);
	fputs(",\n\"nativeSymbols\":{\"length\":0,\"libIndex\":[],\"address\":[],\"name\":[],"
	      "\"functionSize\":[]}",
		out);
	write_strings(firefox);
	fputc('}', out);
	return 0;
}

/* ---- Threads ---- */

static double ms_of(const struct export_source *of, uint64_t time_ns)
{
	return time_ns > of->begin_ns ? (double)(time_ns - of->begin_ns) / 1e6 : 0;
}

static void write_samples(const struct firefox *firefox, const struct export_thread *thread)
{
	const struct export_source *of = firefox->profile->of;
	FILE *out = firefox->out;

	fprintf(out, ",\"samples\":{\"length\":%zu,\"weightType\":\"samples\",\"weight\":null",
		thread->n);
	fputs(",\"stack\":[", out);
	for (size_t i = 0; i < thread->n; i++)
		fprintf(out, "%s%" PRIu32, i ? "," : "",
			firefox->stack[samples__at(of->samples, of->by_time[thread->v[i]].sum)
					       ->frame]);
	fputs("],\"time\":[", out);
	for (size_t i = 0; i < thread->n; i++)
		fprintf(out, "%s%.6f", i ? "," : "", ms_of(of, of->by_time[thread->v[i]].time_ns));
	fputs("]}", out);
}

static void write_escaped(const struct firefox *firefox, const char *key, const char *text)
{
	char escaped[4 * PERFSTAMP_COMM_MAX + 1];

	text__escape(escaped, sizeof(escaped), text);
	fprintf(firefox->out, ",\"%s\":", key);
	json__write_text(firefox->out, escaped);
}

static void write_thread(struct firefox *firefox, const struct export_thread *thread)
{
	const struct export_source *of = firefox->profile->of;
	FILE *out = firefox->out;

	fprintf(out,
		"{\"processType\":\"default\",\"processStartupTime\":0,"
		"\"processShutdownTime\":null,\"registerTime\":0,\"unregisterTime\":%.6f,"
		"\"pausedRanges\":[],\"pid\":\"%" PRIu32 "\",\"tid\":%" PRIu32
		",\"isMainThread\":%s",
		ms_of(of, of->end_ns), thread->pid, thread->tid,
		thread->pid == thread->tid ? "true" : "false");
	write_escaped(firefox, "name", thread->comm);
	write_escaped(firefox, "processName", thread->process);
	write_samples(firefox, thread);
	fputs(",\"markers\":", out);
	firefox_markers__write(out, thread->n ? NULL : &firefox->markers, of);
	fputc('}', out);
}

static void write_threads(struct firefox *firefox, const struct export_threads *threads)
{
	const struct export_thread markers = {
		.comm = "Recording", .process = "Recording", .pid = 0, .tid = 0};
	FILE *out = firefox->out;

	fputs(",\n\"threads\":[\n", out);
	if (firefox->markers.n)
		write_thread(firefox, &markers);
	for (size_t i = 0; i < threads->n; i++) {
		if (i || firefox->markers.n)
			fputs(",\n", out);
		write_thread(firefox, &threads->v[i]);
	}
	fputs("]", out);
}

static int write_meta(struct firefox *firefox)
{
	struct export_profile *profile = firefox->profile;
	const struct export_source *of = profile->of;
	const struct export_event *event = &of->events[0];
	double interval = event->is_time && event->period ? (double)event->period / 1e6 : 1;
	FILE *out = firefox->out;
	uint32_t file;

	if (export_profile__text(profile, of->file, &file))
		return -ENOMEM;
	fputs("{\"meta\":{\"preprocessedProfileVersion\":60,\"version\":32,\"processType\":0,"
	      "\"stackwalk\":1,\"debug\":false,\"product\":",
		out);
	json__write_text(out, texts__at(&profile->texts, file));
	fprintf(out,
		",\"importedFrom\":\"perfstamp " PERFSTAMP_VERSION
		"\",\"interval\":%.6f,\"startTime\":%.6f,\"symbolicated\":%s",
		interval, of->has_wall ? (double)(of->begin_ns + (uint64_t)of->wall_ns) / 1e6 : 0.0,
		of->names ? "true" : "false");
	fputs(",\"platform\":\"X11\",\"oscpu\":", out);
	json__write_text(out, of->release ? of->release : "Linux");
	fputs(",\"usesOnlyOneStackType\":true,\"sourceCodeIsNotOnSearchfox\":true,"
	      "\"sampleUnits\":{\"time\":\"ms\",\"eventDelay\":\"ms\",\"threadCPUDelta\":\"ns\"},"
	      "\"categories\":[" CATEGORIES "],\"markerSchema\":",
		out);
	firefox_markers__write_schemas(out);
	fputc('}', out);
	return 0;
}

static int write_all(struct firefox *firefox, const struct export_threads *threads)
{
	FILE *out = firefox->out;

	if (write_meta(firefox) || write_libraries(firefox))
		return -ENOMEM;
	fputs(",\"pages\":[],\"counters\":[],\"profilerOverhead\":[]", out);
	if (write_shared(firefox))
		return -ENOMEM;
	write_threads(firefox, threads);
	fputs("}\n", out);
	return 0;
}

int export__firefox(FILE *out, struct export_profile *profile)
{
	struct firefox firefox = {.profile = profile, .out = gzip__open(out)};
	struct export_threads threads;
	int err = export_threads__find(&threads, profile);

	if (!firefox.out)
		err = -ENOMEM;
	if (!err)
		err = find_sources(&firefox);
	if (!err)
		err = find_rows(&firefox);
	if (!err)
		err = firefox_markers__find(&firefox.markers, profile);
	if (!err)
		err = write_all(&firefox, &threads);
	if (firefox.out)
		fclose(firefox.out);
	firefox_markers__free(&firefox.markers);
	export_threads__free(&threads);
	free(firefox.rows);
	free(firefox.first_row);
	free(firefox.unnamed);
	free(firefox.unnamed_places);
	free(firefox.stack);
	free(firefox.source_of);
	free(firefox.sources);
	return err;
}
