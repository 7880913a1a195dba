// SPDX-License-Identifier: GPL-2.0-only
/*
 * Source lines of reports: which are shown, each with the samples that are in it, and how
 * they are written, whatever the text is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/model/profile/sources.h"
#include "user/view/report/report.h"

#define PLACES 32
#define BASE 0x10000

static struct model *model;
static struct samples *samples;
static struct report *report;
static struct resolved resolved[PLACES];
static struct symbol_source found[PLACES];
static char lines[PLACES][32];
static struct perfstamp_identity identities[PLACES];
static struct sources sources;

static const struct report_options OPTIONS = {
	.keys = {REPORT_DSO, REPORT_SRCLINE}, .n_keys = 2, .identities = identities};

static void apply(const struct event *event)
{
	assert_int_equal(model__apply(model, event), 0);
	assert_int_equal(samples__apply(samples, model, event, 0, event->sample.period), 0);
}

static void map(uint32_t pid, const char *path, uint8_t id)
{
	apply(&(struct event){.kind = EVENT_MAP,
		.pid = pid,
		.tid = pid,
		.time_ns = 1,
		.map = {.addr = BASE,
			.len = 0x10000,
			.executable = true,
			.path = path,
			.identity = {.build_id = {id}, .build_id_size = 1}}});
}

static void sample(uint32_t pid, uint64_t line, uint64_t period)
{
	apply(&(struct event){.kind = EVENT_SAMPLE,
		.misc = PERF_RECORD_MISC_USER,
		.pid = pid,
		.tid = pid,
		.time_ns = 2,
		.sample = {.ip = BASE + line, .period = period}});
}

static void begin(void)
{
	assert_int_equal(model__new(&model), 0);
	assert_int_equal(samples__new(&samples, &(struct samples_options){0}), 0);
	map(1, "/bin/a", 1);
}

/* Each byte is a line: of /src/a.c, from 0x1000 on of /src/b.c, and from 0x2000 on of none. */
static void find(double percent, uint32_t around)
{
	static char *const PATHS[] = {"/src/a.c", "/src/b.c"};

	memset(resolved, 0, sizeof(resolved));
	assert_true(samples__n_places(samples) <= PLACES);
	for (size_t i = 0; i < samples__n_places(samples); i++) {
		uint64_t offset = samples__place(samples, i)->offset;

		if (offset >= 0x2000)
			continue;
		found[i] = (struct symbol_source){
			.path = PATHS[offset / 0x1000], .line = offset % 0x1000};
		snprintf(lines[i], sizeof(lines[i]), "%s:%u", found[i].path, found[i].line);
		resolved[i] = (struct resolved){.srcline = lines[i], .source = &found[i]};
	}
	for (size_t i = 0; i < model__n_sightings(model); i++)
		identities[i] = model__sighting(model, i)->identity;
	assert_int_equal(report__new(&report, samples, model, resolved, &OPTIONS), 0);
	assert_int_equal(sources__find(&sources, report, resolved, percent, around), 0);
}

static void end(void)
{
	sources__free(&sources);
	report__free(report);
	samples__free(samples);
	model__free(model);
}

/* "3 4=1 5": the numbers of a file's lines, with their samples. */
static const char *lines_of(size_t i)
{
	static char text[1024];
	size_t at = 0;

	for (size_t k = 0; k < sources.files[i].n_lines; k++) {
		const struct source_line *line = &sources.files[i].lines[k];

		at += snprintf(text + at, sizeof(text) - at, "%s%u", k ? " " : "", line->number);
		if (line->n)
			at += snprintf(text + at, sizeof(text) - at, "=%u", (unsigned int)line->n);
	}
	return text;
}

static void test_lines_stand_with_some_around(void **state)
{
	(void)state;
	begin();
	sample(1, 4, 1);
	sample(1, 4, 1);
	sample(1, 7, 1);
	sample(1, 1, 1);
	sample(1, 20, 1);
	find(0, 2);
	assert_int_equal(sources.n, 1);
	assert_int_equal(sources.files[0].n, 5);
	assert_string_equal(lines_of(0), "1=1 2 3 4=2 5 6 7=1 8 9 18 19 20=1 21 22");
	end();
	begin();
	sample(1, 4, 1);
	sample(1, 5, 1);
	sample(1, 9, 1);
	find(0, 0);
	assert_string_equal(lines_of(0), "4=1 5=1 9=1");
	end();
}

static void test_little_is_left_out(void **state)
{
	(void)state;
	begin();
	sample(1, 4, 1);
	sample(1, 10, 90);
	sample(1, 11, 1);
	sample(1, 30, 1);
	sample(1, 0x1000 + 5, 7);
	find(10, 1);
	/* But for what stands around others; the file's own sum is of all. */
	assert_int_equal(sources.n, 1);
	assert_string_equal(lines_of(0), "9 10=1 11=1");
	assert_int_equal(sources.files[0].period, 93);
	end();
}

static void test_files_are_of_one_dso_most_first(void **state)
{
	(void)state;
	begin();
	map(2, "/bin/a", 2);
	sample(1, 4, 1);
	sample(2, 4, 5);
	sample(1, 0x1000 + 8, 3);
	sample(1, 0x2000, 9); /* of no line */
	find(0, 0);
	assert_int_equal(sources.n, 3);
	assert_int_equal(sources.files[0].period, 5);
	assert_string_equal(resolved[sources.files[0].place].source->path, "/src/a.c");
	assert_int_equal(sources.files[1].period, 3);
	assert_string_equal(resolved[sources.files[1].place].source->path, "/src/b.c");
	assert_int_equal(sources.files[2].period, 1);
	end();
}

/* At the ends of what numbers can be. */
static void test_lines_of_any_number(void **state)
{
	(void)state;
	begin();
	sample(1, 1, 1);
	sample(1, 2, 1);
	find(0, 100);
	assert_int_equal(sources.files[0].n_lines, 102);
	sources__free(&sources);
	for (size_t i = 0; i < samples__n_places(samples); i++)
		if (found[i].line == 2)
			found[i].line = UINT32_MAX;
	assert_int_equal(sources__find(&sources, report, resolved, 0, 100), 0);
	assert_int_equal(sources.files[0].n_lines, 101 + 101);
	assert_int_equal(sources.files[0].lines[201].number, UINT32_MAX);
	end();
}

static char *written(bool json)
{
	static const char *const EVENTS[] = {"cpu-clock"};
	const struct report_view view = {.report = report,
		.samples = samples,
		.model = model,
		.resolved = resolved,
		.options = &OPTIONS,
		.events = EVENTS,
		.n_events = 1};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(report_view__sources(out, &view, &sources, json), 0);
	fclose(out);
	return text;
}

static void test_text_cannot_act_on_a_terminal(void **state)
{
	char *text;

	(void)state;
	begin();
	sample(1, 2, 1);
	sample(1, 9, 3);
	find(0, 1);
	sources.files[0].origin = SOURCE_UNPROVEN;
	sources.files[0].lines[0].text = strdup("\tif (x)\t/* \\n */");
	sources.files[0].lines[1].text = strdup("\x1b[31m \xe2\x80\xae \xff");
	sources.files[0].lines[1].cut = true;
	text = written(false);
	assert_string_equal(text,
		"# Source: /src/a.c\n"
		"#   100.00% of 'cpu-clock', in a\n"
		"#   text: file currently on this machine, NOT KNOWN to be the compiled source\n"
		"#\n"
		"                1          if (x)  /* \\n */\n"
		"   25.00%       2  ?[31m ??? ? [...]\n"
		"               ...\n"
		"   75.00%       9\n"
		"\n");
	free(text);
	text = written(true);
	assert_null(strchr(text, '\x1b'));
	assert_non_null(
		strstr(text, "\"file\":\"/src/a.c\",\"origin\":\"unproven\",\"lack\":null"));
	assert_non_null(strstr(text, "{\"line\":9,\"samples\":1,\"period\":3,\"text\":null}"));
	free(text);
	end();
}

static void test_why_there_is_no_text(void **state)
{
	char *text;

	(void)state;
	begin();
	sample(1, 2, 1);
	find(0, 1);
	sources.files[0].lack = SOURCE_LACKS_SAME_FILE;
	text = written(false);
	assert_non_null(
		strstr(text, "no text: the file at this path is not the compiled source\n"));
	assert_non_null(strstr(text, "#\n  100.00%       2\n\n"));
	free(text);
	text = written(true);
	assert_non_null(strstr(text, "\"origin\":null,\"lack\":\"other-file\""));
	free(text);
	end();
}

int main(void)
{
	const struct CMUnitTest TESTS[] = {
		cmocka_unit_test(test_lines_stand_with_some_around),
		cmocka_unit_test(test_little_is_left_out),
		cmocka_unit_test(test_files_are_of_one_dso_most_first),
		cmocka_unit_test(test_lines_of_any_number),
		cmocka_unit_test(test_text_cannot_act_on_a_terminal),
		cmocka_unit_test(test_why_there_is_no_text),
	};

	return cmocka_run_group_tests(TESTS, NULL, NULL);
}
