// SPDX-License-Identifier: GPL-2.0-only
/* The lives of builds at one path: spans, switches, and what is outdated. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "user/model/model.h"

#define LATE PERFSTAMP_MAP_LATE
#define SNAPSHOT PERFSTAMP_MAP_SNAPSHOT

static struct event map(uint64_t time_ns, uint32_t pid, uint8_t build, uint32_t flags)
{
	return (struct event){.kind = EVENT_MAP,
		.time_ns = time_ns,
		.pid = pid,
		.tid = pid,
		.map = {.addr = 0x1000,
			.len = 0x1000,
			.executable = true,
			.flags = flags,
			.identity = {.source = build ? PERFSTAMP_SOURCE_PAGE_CACHE : 0,
				.reason = build ? 0 : PERFSTAMP_REASON_NOT_RESIDENT,
				.build_id_size = build ? 1 : 0,
				.build_id = {build}},
			.path = "/server"}};
}

static struct event in(struct event event, uint32_t mnt_ns)
{
	event.map.identity.mnt_ns = mnt_ns;
	return event;
}

static struct event named(struct event event, const char *path)
{
	event.map.path = path;
	return event;
}

static struct event stop(uint64_t time_ns, uint32_t pid)
{
	return (struct event){.kind = EVENT_EXIT, .time_ns = time_ns, .pid = pid, .tid = pid};
}

static struct event tick(uint64_t time_ns)
{
	return (struct event){.kind = EVENT_OTHER, .time_ns = time_ns};
}

static size_t add_spans(char *text, size_t n, const struct model_span *spans, size_t n_spans)
{
	for (size_t i = 0; i < n_spans; i++)
		n += sprintf(text + n, " %lld-%lld", (long long)spans[i].begin_ns,
			(long long)spans[i].end_ns);
	return n;
}

/* "BUILD: spans [outdated spans] @switches", -1 where it goes on; builds in order of appearance. */
static void expect(const struct event *events, size_t n, const char *expected)
{
	struct sighting_lives lives;
	struct model *model;
	char text[4096];
	size_t at = 0;

	assert_int_equal(model__new(&model), 0);
	assert_int_equal(model__follow_lives(model), 0);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(model__apply(model, &events[i]), 0);
	for (size_t i = 0; i < model__n_sightings(model); i++) {
		model__lives(model, i, &lives);
		at += sprintf(text + at, "%s%d:", i ? "; " : "",
			model__sighting(model, i)->identity.build_id[0]);
		at = add_spans(text, at, lives.mapped, lives.n_mapped);
		if (lives.n_outdated) {
			at += sprintf(text + at, " [");
			at = add_spans(text, at, lives.outdated, lives.n_outdated);
			at += sprintf(text + at, " ]");
		}
		for (size_t j = 0; j < lives.n_switches; j++)
			at += sprintf(
				text + at, " @%llu", (unsigned long long)lives.switches[j].time_ns);
	}
	model__free(model);
	assert_string_equal(text, expected);
}
#define EXPECT(expected, ...)                                                                      \
	do {                                                                                       \
		const struct event events[] = {__VA_ARGS__};                                       \
		expect(events, sizeof(events) / sizeof(*events), expected);                        \
	} while (0)

static void each_start_by_turns_is_a_life_and_a_switch(void **state)
{
	(void)state;
	EXPECT("1: 10-15 30-35 [ 20-30 40--1 ] @30; 2: 20-25 40-45 [ 30-40 ] @20 @40",
		map(10, 1, 1, 0), stop(15, 1), map(20, 2, 2, 0), stop(25, 2), map(30, 3, 1, 0),
		stop(35, 3), map(40, 4, 2, 0), stop(45, 4), tick(50));
}

/* 32-bit processes have another vDSO, and memfds have any names. */
static void memory_with_one_name_is_not_replaced(void **state)
{
	static const char *const PATHS[] = {"[vdso]", "/memfd:code", "/memfd:code (deleted)"};

	(void)state;
	for (size_t i = 0; i < sizeof(PATHS) / sizeof(*PATHS); i++)
		EXPECT("1: 10-30; 2: 20--1", named(map(10, 1, 1, 0), PATHS[i]),
			named(map(20, 2, 2, 0), PATHS[i]), stop(30, 1), tick(50));
}

static void a_life_lasts_until_the_last_mapping_goes(void **state)
{
	(void)state;
	EXPECT("1: 10-40 50--1", map(10, 1, 1, 0), map(20, 2, 1, 0), stop(30, 1), stop(40, 2),
		map(50, 3, 1, 0), tick(60));
}

static void an_old_build_that_runs_on_is_outdated(void **state)
{
	(void)state;
	EXPECT("1: 10--1 [ 20--1 ]; 2: 20--1 @20", map(10, 1, 1, 0), map(20, 2, 2, 0), tick(30));
}

static void what_was_there_before_recording_is_no_switch(void **state)
{
	(void)state;
	/* Which of two builds is the newer one shows with the next mapping. */
	EXPECT("1: 0--1 [ 40--1 ]; 2: 0--1", map(0, 1, 1, SNAPSHOT), map(0, 2, 2, SNAPSHOT),
		map(40, 3, 2, 0));
	EXPECT("1: 0--1; 2: 0--1 [ 40--1 ]", map(0, 1, 1, SNAPSHOT), map(0, 2, 2, SNAPSHOT),
		map(40, 3, 1, 0));
	EXPECT("1: 0--1 [ 40--1 ]; 2: 40--1 @40", map(0, 1, 1, SNAPSHOT), map(40, 2, 2, 0));
}

static void a_mapping_found_later_switches_nothing_back(void **state)
{
	(void)state;
	EXPECT("1: 10--1 [ 20--1 ]; 2: 20--1 @20", map(10, 1, 1, 0), map(20, 2, 2, 0),
		map(30, 3, 1, SNAPSHOT));
}

static void namespaces_are_places_of_their_own(void **state)
{
	(void)state;
	EXPECT("1: 10--1; 2: 20--1", in(map(10, 1, 1, 0), 11), in(map(20, 2, 2, 0), 12));
	/* Outdated only where no place has it any more. */
	EXPECT("1: 10--1 [ 40--1 ]; 2: 30--1 @30 @40", in(map(10, 1, 1, 0), 11),
		in(map(20, 2, 1, 0), 12), in(map(30, 3, 2, 0), 12), in(map(40, 4, 2, 0), 11));
	/* One that is unknown may be any. */
	EXPECT("1: 10--1 [ 20--1 ]; 2: 20--1 @20", map(10, 1, 1, 0), in(map(20, 2, 2, 0), 12));
	EXPECT("1: 10--1 [ 20--1 ]; 2: 20--1 @20", in(map(10, 1, 1, 0), 12), map(20, 2, 2, 0));
}

static void an_identity_that_comes_late_counts_from_its_mapping(void **state)
{
	(void)state;
	EXPECT("0: 10-30; 1: 10--1", map(10, 1, 0, 0), map(30, 1, 1, LATE));
	/* Meanwhile another was mapped: no way back. */
	EXPECT("3: 5--1 [ 20--1 ]; 0: 10-30; 2: 20--1 @20; 1: 10--1 [ 20--1 ] @10", map(5, 9, 3, 0),
		map(10, 1, 0, 0), map(20, 2, 2, 0), map(30, 1, 1, LATE));
}

static void lives_are_bounded(void **state)
{
	struct sighting_lives lives;
	struct model *model;
	uint64_t now = 1000;

	(void)state;
	assert_int_equal(model__new(&model), 0);
	assert_int_equal(model__follow_lives(model), 0);
	for (uint32_t i = 0; i < 1000; i++) {
		struct event begin = map(now, i + 1, 1 + i % 2, 0), end = stop(now + 5, i + 1);

		/* One gap is by far the longest. */
		now += i == 500 ? 100000 : 10 + i % 7;
		assert_int_equal(model__apply(model, &begin), 0);
		assert_int_equal(model__apply(model, &end), 0);
	}
	for (size_t i = 0; i < 2; i++) {
		bool long_gap = false;

		model__lives(model, i, &lives);
		assert_int_equal(lives.n_mapped, 64);
		assert_int_equal(lives.n_mapped + lives.n_merged, 500);
		assert_int_equal(lives.n_switches, 64);
		assert_int_equal(lives.n_all_switches, 500 - !i);
		assert_true(lives.n_outdated <= 64);
		for (size_t j = 1; j < lives.n_mapped; j++) {
			assert_true(lives.mapped[j - 1].end_ns < lives.mapped[j].begin_ns);
			long_gap |= lives.mapped[j].begin_ns - lives.mapped[j - 1].end_ns > 90000;
		}
		assert_true(long_gap);
	}
	model__free(model);
}

static void nothing_is_kept_unasked(void **state)
{
	const struct event event = map(10, 1, 1, 0);
	struct sighting_lives lives;
	struct model *model;

	(void)state;
	assert_int_equal(model__new(&model), 0);
	assert_int_equal(model__apply(model, &event), 0);
	model__lives(model, 0, &lives);
	assert_int_equal(lives.n_mapped, 0);
	model__free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_start_by_turns_is_a_life_and_a_switch),
		cmocka_unit_test(memory_with_one_name_is_not_replaced),
		cmocka_unit_test(a_life_lasts_until_the_last_mapping_goes),
		cmocka_unit_test(an_old_build_that_runs_on_is_outdated),
		cmocka_unit_test(what_was_there_before_recording_is_no_switch),
		cmocka_unit_test(a_mapping_found_later_switches_nothing_back),
		cmocka_unit_test(namespaces_are_places_of_their_own),
		cmocka_unit_test(an_identity_that_comes_late_counts_from_its_mapping),
		cmocka_unit_test(lives_are_bounded),
		cmocka_unit_test(nothing_is_kept_unasked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
