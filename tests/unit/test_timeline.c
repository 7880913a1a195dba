// SPDX-License-Identifier: GPL-2.0-only
/* The timeline's counts, and its page of nothing and of what is hostile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "user/view/timeline/timeline.h"
#include "user/view/timeline/series.h"

#define SEC 1000000000ull

static uint64_t total(const struct timeline_series *series)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < series->n; i++)
		sum += series->v[i].count;
	return sum;
}

static void bins_widen_and_lose_nothing(void **state)
{
	struct timeline_bins bins = {0};
	struct timeline_series early = {0}, series = {0};
	uint64_t time_ns = 5 * SEC, n = 0;

	(void)state;
	timeline_bins__reach(&bins, time_ns);
	assert_int_equal(timeline_series__add(&early, &bins, time_ns, 7), 0);
	/* From a microsecond to some years, thousands of times. */
	for (uint64_t step = 1000; step < 100000 * SEC; step += step / 100, n++) {
		time_ns += step;
		timeline_bins__reach(&bins, time_ns);
		assert_int_equal(timeline_series__add(&series, &bins, time_ns, 1), 0);
		assert_true((time_ns - bins.begin_ns) / timeline_bins__width(&bins) <
			    TIMELINE_BINS_MAX);
	}
	assert_true(
		(time_ns - bins.begin_ns) / timeline_bins__width(&bins) >= TIMELINE_BINS_MAX / 2);
	assert_true(n > 1000);
	assert_int_equal(total(&series), n);
	for (size_t i = 1; i < series.n; i++)
		assert_true(series.v[i - 1].bin < series.v[i].bin);
	/* One that was not touched meanwhile. */
	timeline_series__settle(&early, &bins);
	assert_int_equal(total(&early), 7);
	assert_int_equal(early.v[0].bin, 0);
	timeline_series__free(&early);
	timeline_series__free(&series);
}

static void what_comes_late_is_in_its_bin(void **state)
{
	struct timeline_bins bins = {0};
	struct timeline_series series = {0};

	(void)state;
	timeline_bins__reach(&bins, SEC);
	timeline_bins__reach(&bins, 961 * SEC);
	assert_int_equal(timeline_series__add(&series, &bins, 900 * SEC, 1), 0);
	assert_int_equal(timeline_series__add(&series, &bins, 100 * SEC, 1), 0);
	assert_int_equal(timeline_series__add(&series, &bins, 0, 1), 0); /* before the first */
	assert_int_equal(timeline_series__add(&series, &bins, 100 * SEC, UINT64_MAX), 0);
	assert_int_equal(series.n, 3);
	assert_int_equal(series.v[0].bin, 0);
	assert_int_equal(series.v[1].count, UINT32_MAX);
	timeline_series__free(&series);
}

static char *make_page(const struct event *events, size_t n, const struct timeline_about *about)
{
	struct timeline *timeline;
	struct model *model;
	size_t size;
	char *page;
	FILE *out = open_memstream(&page, &size);

	assert_non_null(out);
	assert_int_equal(model__new(&model), 0);
	assert_int_equal(model__follow_lives(model), 0);
	assert_int_equal(timeline__new(&timeline), 0);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(model__apply(model, &events[i]), 0);
		assert_int_equal(timeline__add(timeline, model, &events[i]), 0);
	}
	assert_int_equal(timeline__write(out, timeline, model, about), 0);
	assert_int_equal(fclose(out), 0);
	timeline__free(timeline);
	model__free(model);
	return page;
}

static void nothing_is_a_page(void **state)
{
	const struct timeline_about about = {.name = "nothing"};
	char *page = make_page(NULL, 0, &about);

	(void)state;
	assert_non_null(strstr(page, "<title>nothing: perfstamp timeline</title>"));
	assert_non_null(strstr(page, "\"paths\":[]"));
	assert_null(strstr(page, "@@"));
	free(page);
}

/* /x with this content, mapped by process @pid in mount namespace @mnt_ns. */
static struct event map(uint64_t time_ns, uint32_t pid, uint32_t mnt_ns, uint8_t content)
{
	return (struct event){.kind = EVENT_MAP,
		.misc = PERF_RECORD_MISC_USER,
		.time_ns = time_ns,
		.pid = pid,
		.tid = pid,
		.map = {.addr = 0x1000,
			.len = 0x1000,
			.executable = true,
			.identity = {.mnt_ns = mnt_ns,
				.source = PERFSTAMP_SOURCE_PAGE_CACHE,
				.build_id_size = 1,
				.build_id = {content}},
			.path = "/x"}};
}

static void another_container_has_another_file(void **state)
{
	const struct timeline_about about = {.name = "x"};
	/* One content in two containers, another in a third; then that in the second, too. */
	const struct event events[] = {map(1 * SEC, 1, 11, 1), map(2 * SEC, 2, 12, 1),
		map(3 * SEC, 3, 13, 2), map(4 * SEC, 4, 12, 2)};
	char *page = make_page(events, 3, &about);

	(void)state;
	assert_non_null(strstr(page, "\"replacements\":0"));
	free(page);
	page = make_page(events, 4, &about);
	assert_non_null(strstr(page, "\"replacements\":1"));
	free(page);
}

static void each_turn_is_a_replacement(void **state)
{
	const struct timeline_about about = {.name = "x"};
	const struct event events[] = {map(1 * SEC, 1, 11, 1), map(2 * SEC, 2, 11, 2),
		map(3 * SEC, 3, 11, 1), map(4 * SEC, 4, 11, 2)};
	char *page = make_page(events, 4, &about);

	(void)state;
	assert_non_null(strstr(page, "\"replacements\":3"));
	assert_non_null(strstr(page, "\"switches\":[1000000000,3000000000],\"replaced\":[0,0]"));
	assert_non_null(strstr(page, "\"switches\":[2000000000],\"replaced\":[1]"));
	assert_non_null(strstr(page, "\"outdated\":[2000000000,3000000000]"));
	free(page);
}

static void hostile_texts_stay_texts(void **state)
{
	static const char HOSTILE[] = "</script><script>hostile()</script>\"'&\n\x1b\xff@@DATA@@";
	const struct timeline_about about = {.name = HOSTILE,
		.host = HOSTILE,
		.release = HOSTILE,
		.problem = HOSTILE,
		.stamp = "loss=<script>hos 1 2 3\n",
		.stamp_size = 23};
	const struct event events[] = {
		{.kind = EVENT_CGROUP, .time_ns = SEC, .cgroup = {.id = 9, .path = HOSTILE}},
		{.kind = EVENT_MAP,
			.misc = PERF_RECORD_MISC_USER,
			.time_ns = SEC,
			.pid = 1,
			.tid = 1,
			.map = {.addr = 0x1000,
				.len = 0x1000,
				.executable = true,
				.identity = {.cgroup_id = 9},
				.path = HOSTILE}},
		{.kind = EVENT_KSYMBOL,
			.time_ns = SEC,
			.ksymbol = {.addr = 0x100000, .len = 9, .name = HOSTILE}},
		{.kind = EVENT_SAMPLE,
			.misc = PERF_RECORD_MISC_USER,
			.time_ns = 2 * SEC,
			.pid = 1,
			.tid = 1,
			.sample = {.ip = 0x1000}},
		{.kind = EVENT_MODULE,
			.time_ns = 2 * SEC,
			.module = {.path = HOSTILE,
				.state = {.text_addr = 0x200000,
					.text_size = 0x1000,
					.event = PERFSTAMP_MODULE_LOAD,
					.name = "<script>hostile()"}}},
	};
	char *page = make_page(events, sizeof(events) / sizeof(*events), &about);
	size_t scripts = 0;

	(void)state;
	for (const char *at = page; (at = strstr(at, "<script")); at++)
		scripts++;
	assert_int_equal(scripts, 2);
	assert_null(strchr(page, '\x1b'));
	assert_null(strchr(page, '\xff'));
	free(page);
}

#define FUNCTIONS 3000

static struct event sample(uint64_t time_ns, uint64_t ip)
{
	return (struct event){.kind = EVENT_SAMPLE,
		.misc = PERF_RECORD_MISC_USER,
		.time_ns = time_ns,
		.pid = 1,
		.tid = 1,
		.cpu = UINT32_MAX,
		.sample = {.ip = ip}};
}

/* The page of @n samples, each of which is in a function of its own with a name of
 * more than @name_size bytes. */
static char *make_page_of_functions(uint64_t n, size_t name_size)
{
	static char names[FUNCTIONS][600];
	static struct resolved resolved[FUNCTIONS];
	static char filling[512];
	struct perfstamp_identity identity = {0};
	struct samples_options options = {.cgroup = true, .chains = true};
	struct event event = map(SEC, 1, 11, 1);
	struct timeline_functions functions = {
		.resolved = resolved, .identities = &identity, .event_name = "cpu-clock"};
	struct timeline_about about = {.name = "x", .n_files = 1, .functions = &functions};
	struct timeline *timeline;
	struct samples *samples;
	struct model *model;
	size_t size;
	char *page;
	FILE *out = open_memstream(&page, &size);

	event.map.len = FUNCTIONS * 16;
	memset(filling, '<', sizeof(filling) - 1);
	assert_int_equal(model__new(&model), 0);
	assert_int_equal(timeline__new(&timeline), 0);
	assert_int_equal(samples__new(&samples, &options), 0);
	assert_int_equal(model__apply(model, &event), 0);
	assert_int_equal(samples__apply(samples, model, &event, 0, 0), 0);
	for (uint64_t i = 0; i < n; i++) {
		event = sample(SEC + i * 1000000, 0x1000 + i % FUNCTIONS * 16);
		assert_int_equal(model__apply(model, &event), 0);
		assert_int_equal(timeline__add(timeline, model, &event), 0);
		assert_int_equal(samples__apply(samples, model, &event, 0, 1), 0);
		assert_int_equal(timeline__count(timeline, &event, samples__counted(samples)), 0);
	}
	for (size_t i = 0; i < FUNCTIONS; i++) {
		snprintf(names[i], sizeof(names[i]), "f%zu%.*s", i, (int)name_size, filling);
		resolved[i] = (struct resolved){.name = names[i]};
	}
	functions.samples = samples;
	assert_int_equal(timeline__write(out, timeline, model, &about), 0);
	assert_int_equal(fclose(out), 0);
	samples__free(samples);
	timeline__free(timeline);
	model__free(model);
	return page;
}

static void functions_are_counted(void **state)
{
	char *page = make_page_of_functions(3, 0);

	(void)state;
	assert_non_null(strstr(page, "\"event\":\"cpu-clock\",\"samples\":3,\"rest\":0"));
	assert_non_null(strstr(page, "\"functions\":[{\"name\":\"f0\",\"dso\":0},"));
	assert_non_null(strstr(page, "\"nodes\":[-1,0,-1,1,-1,2]"));
	assert_non_null(strstr(page, "\"counts\":[[0,0,0,1],[1,0,"));
	free(page);
}

/* None of the samples is gone: those of rare functions are "rest". */
static void rare_functions_make_room(void **state)
{
	char *page = make_page_of_functions(20 * FUNCTIONS + FUNCTIONS / 2, 500);

	(void)state;
	assert_true(strlen(page) < 700000);
	assert_non_null(strstr(page, "\"samples\":61500,\"rest\":"));
	assert_null(strstr(page, "\"samples\":61500,\"rest\":0"));
	assert_non_null(strstr(page, "-1,-1]"));
	free(page);
}

/* @key of what the page has no room for is @n. */
static void at_left_out(const char *page, const char *key, size_t n)
{
	const char *left_out = strstr(page, "\"left_out\":{");
	char wanted[64];

	assert_non_null(left_out);
	snprintf(wanted, sizeof(wanted), "\"%s\":%zu", key, n);
	assert_non_null(strstr(left_out, wanted));
}

/* A comparison of @path, with functions that have names of @name_size bytes. */
static struct json_object *make_comparison(const char *path, size_t n, size_t name_size)
{
	struct json_object *object = json_object_new_object();
	struct json_object *functions = json_object_new_array();
	static char name[8192];

	memset(name, '<', name_size);
	name[name_size] = '\0';
	for (size_t i = 0; i < n; i++) {
		struct json_object *function = json_object_new_object();

		json_object_object_add(function, "symbol", json_object_new_string(name));
		json_object_array_add(functions, function);
	}
	json_object_object_add(object, "path", json_object_new_string(path));
	json_object_object_add(object, "functions", functions);
	return object;
}

/* One has short names, and keeps all its functions; the others share the rest of the room. */
static void comparisons_have_their_room(void **state)
{
	struct timeline_about about = {.name = "x", .comparisons = json_object_new_array()};
	char *page, *functions;
	size_t n = 0;

	(void)state;
	for (int i = 0; i < 19; i++)
		json_object_array_add(about.comparisons, make_comparison("/long", 30, 1000));
	json_object_array_add(about.comparisons, make_comparison("/short", 30, 10));
	page = make_page(NULL, 0, &about);
	assert_true(strlen(page) < 300000);
	for (const char *at = page; (at = strstr(at, "\"path\":\"/long\"")); at++)
		n++;
	assert_int_equal(n, 19);
	assert_non_null(strstr(page, "\"functions_left_out\":29"));
	functions = strstr(page, "\"path\":\"/short\"");
	assert_non_null(functions);
	assert_non_null(strstr(functions, "\"functions_left_out\":0"));
	free(page);
	json_object_put(about.comparisons);
}

/* As many CPUs as there can be, all of which have a sample. */
static void cpus_have_their_room(void **state)
{
	static struct event events[8192];
	const struct timeline_about about = {.name = "x"};
	char *page;
	size_t n = 0;

	(void)state;
	for (uint32_t i = 0; i < 8192; i++) {
		events[i] = sample(SEC + i, 0x1000);
		events[i].cpu = i;
	}
	page = make_page(events, 8192, &about);
	for (const char *at = page; (at = strstr(at, "{\"cpu\":")); at++)
		n++;
	assert_true(n > 1000 && n < 8192);
	assert_true(strlen(page) < 300000);
	assert_non_null(strstr(page, "\"cpu_samples\":8192"));
	at_left_out(page, "cpus", 8192 - n);
	free(page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bins_widen_and_lose_nothing),
		cmocka_unit_test(what_comes_late_is_in_its_bin),
		cmocka_unit_test(nothing_is_a_page),
		cmocka_unit_test(another_container_has_another_file),
		cmocka_unit_test(each_turn_is_a_replacement),
		cmocka_unit_test(hostile_texts_stay_texts),
		cmocka_unit_test(functions_are_counted),
		cmocka_unit_test(rare_functions_make_room),
		cmocka_unit_test(comparisons_have_their_room),
		cmocka_unit_test(cpus_have_their_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
