// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is kept of the map records that were written: their numbers, by kind of identity and
 * content, and the paths at which stock perf could confuse two contents.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "user/perfdata/layout.h"
#include "user/perfdata/write/mixed_paths.h"
#include "user/perfdata/write/tally.h"

static struct event_map map(const char *path, uint8_t build_id, uint8_t cookie)
{
	struct event_map map = {.path = path, .executable = true};
	struct perfstamp_identity *id = &map.identity;

	if (build_id) {
		id->build_id_size = PERFSTAMP_BUILD_ID_MAX;
		memset(id->build_id, build_id, sizeof(id->build_id));
	}
	if (cookie) {
		id->cookie_size = PERFSTAMP_COOKIE_MAX;
		memset(id->cookie, cookie, sizeof(id->cookie));
	}
	if (!build_id)
		id->reason = cookie ? PERFSTAMP_REASON_NO_NOTE : PERFSTAMP_REASON_LOOKUP_FAILED;
	return map;
}

static void test_tally(void **state)
{
	struct counters counters = {.n = {[COUNTER_SAMPLES] = 5}};
	struct event_map anonymous = map("//anon", 0, 0), data = map("/data", 1, 0);
	struct event_map completed = map("/b", 2, 0);
	struct tally tally;
	uint64_t *n = counters.n;

	(void)state;
	anonymous.identity.reason = PERFSTAMP_REASON_ANONYMOUS;
	completed.identity.source = PERFSTAMP_SOURCE_USER;
	data.executable = false;
	tally__init(&tally, &counters);
	assert_int_equal(tally__map(&tally, &(struct event_map){.kernel = true}), 0);
	assert_int_equal(tally__map(&tally, &data), 0);
	assert_int_equal(n[COUNTER_MAPS], 0);
	assert_int_equal(tally__map(&tally, &anonymous), 0);
	for (int i = 0; i < 3; i++) {
		struct event_map same = map("/a", 1, 0);

		assert_int_equal(tally__map(&tally, &same), 0);
	}
	assert_int_equal(tally__map(&tally, &completed), 0);
	completed = map("/c", 0, 3);
	assert_int_equal(tally__map(&tally, &completed), 0);
	completed = map("/d", 0, 0);
	assert_int_equal(tally__map(&tally, &completed), 0);
	assert_int_equal(n[COUNTER_MAPS], 7);
	assert_int_equal(n[COUNTER_IDENTIFIED], 4);
	assert_int_equal(n[COUNTER_COMPLETED], 1);
	assert_int_equal(n[COUNTER_COOKIES], 1);
	assert_int_equal(n[COUNTER_UNREADABLE], 1);
	assert_int_equal(n[COUNTER_ANONYMOUS], 1);
	assert_int_equal(n[COUNTER_DSOS], 4);
	/* For another file all of it begins anew, and nothing else. */
	tally__begin_file(&tally);
	assert_int_equal(n[COUNTER_MAPS], 0);
	assert_int_equal(n[COUNTER_SAMPLES], 5);
	completed = map("/a", 1, 0);
	assert_int_equal(tally__map(&tally, &completed), 0);
	assert_int_equal(n[COUNTER_DSOS], 1);
	tally__free(&tally);
}

/* A mapping counts once, by what is known of it in the end. */
static void test_late(void **state)
{
	struct counters counters = {0};
	struct event_map first = map("/a", 0, 0), second = map("/a", 1, 0);
	struct tally tally;
	uint64_t *n = counters.n;

	(void)state;
	tally__init(&tally, &counters);
	assert_int_equal(tally__map(&tally, &first), 0);
	assert_int_equal(n[COUNTER_UNREADABLE], 1);
	assert_int_equal(tally__late(&tally, &second, &first.identity), 0);
	assert_int_equal(n[COUNTER_MAPS], 1);
	assert_int_equal(n[COUNTER_UNREADABLE], 0);
	assert_int_equal(n[COUNTER_IDENTIFIED], 1);
	assert_int_equal(n[COUNTER_LATE], 1);
	assert_int_equal(n[COUNTER_DSOS], 1);
	tally__free(&tally);
}

/* The same mapping was recorded twice before the file began, and its identity comes twice. */
static void test_late_twice(void **state)
{
	struct counters counters = {0};
	struct event_map unread = map("/a", 0, 0), read = map("/a", 1, 0);
	struct tally tally;
	uint64_t *n = counters.n;

	(void)state;
	tally__init(&tally, &counters);
	assert_int_equal(tally__map(&tally, &unread), 0);
	for (int i = 0; i < 2; i++)
		assert_int_equal(tally__late(&tally, &read, &unread.identity), 0);
	assert_int_equal(n[COUNTER_MAPS], 1);
	assert_int_equal(n[COUNTER_UNREADABLE], 0);
	assert_int_equal(n[COUNTER_IDENTIFIED], 1);
	tally__free(&tally);
}

/* As many contents as make its table grow a few times. */
static void test_many_contents(void **state)
{
	struct counters counters = {0};
	struct event_map one = map("/a", 1, 0);
	struct tally tally;

	(void)state;
	tally__init(&tally, &counters);
	for (int again = 0; again < 2; again++)
		for (uint32_t i = 0; i < 3000; i++) {
			memcpy(one.identity.build_id, &i, sizeof(i));
			assert_int_equal(tally__map(&tally, &one), 0);
		}
	assert_int_equal(counters.n[COUNTER_MAPS], 6000);
	assert_int_equal(counters.n[COUNTER_DSOS], 3000);
	tally__free(&tally);
}

static void test_cgroups(void **state)
{
	struct counters counters = {0};
	struct tally tally;

	(void)state;
	tally__init(&tally, &counters);
	assert_true(tally__new_cgroup(&tally, 7));
	assert_false(tally__new_cgroup(&tally, 7));
	tally__forget_cgroup(&tally, 7);
	assert_true(tally__new_cgroup(&tally, 7));
	/* However many there are, each is new once, or was forgotten for others. */
	for (uint64_t id = 100; id < 100 + 10 * TALLY_CGROUP_PLACES * TALLY_CGROUP_WAYS; id++)
		assert_true(tally__new_cgroup(&tally, id));
	tally__free(&tally);
}

static void test_mixed_paths(void **state)
{
	struct mixed_paths paths = {0};
	struct event_map build = map("/a", 1, 0), plain = map("/a", 0, 2), other = map("/b", 0, 2);
	struct event_map unread = map("/a", 0, 0);
	struct buffer table;

	(void)state;
	buffer__init(&table, 0);
	/* Alone, it needs nothing. */
	assert_int_equal(mixed_paths__see(&paths, &other), 0);
	assert_int_equal(mixed_paths__see(&paths, &build), 0);
	/* Behind one with a build-id it has its cookie in that place; one that was not read may
	 * not. */
	assert_int_equal(mixed_paths__see(&paths, &plain), 1);
	assert_int_equal(mixed_paths__see(&paths, &unread), 0);
	assert_int_equal(mixed_paths__table(&paths, &table), 0);
	assert_int_equal(table.size, 0);
	/* The other way round what was written first is in the table. */
	other = map("/b", 3, 0);
	assert_int_equal(mixed_paths__see(&paths, &other), 0);
	assert_int_equal(mixed_paths__table(&paths, &table), 0);
	assert_true(table.size > sizeof(struct perfdata_build_id));
	assert_string_equal((char *)table.data + sizeof(struct perfdata_build_id), "/b");
	assert_int_equal(((struct perfdata_build_id *)(void *)table.data)->build_id[0], 2);
	mixed_paths__clear(&paths);
	assert_int_equal(mixed_paths__see(&paths, &plain), 0);
	mixed_paths__clear(&paths);
	buffer__free(&table);
}

static void test_too_many_paths(void **state)
{
	struct mixed_paths paths = {0};
	char path[32];

	(void)state;
	for (int i = 0; i < MIXED_PATHS_MAX + 3; i++) {
		struct event_map one;

		snprintf(path, sizeof(path), "/%d", i);
		one = map(path, 1, 0);
		assert_int_equal(mixed_paths__see(&paths, &one), 0);
	}
	assert_int_equal(paths.n, MIXED_PATHS_MAX);
	assert_int_equal(paths.untracked, 3);
	mixed_paths__clear(&paths);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tally),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_late_twice),
		cmocka_unit_test(test_many_contents),
		cmocka_unit_test(test_cgroups),
		cmocka_unit_test(test_mixed_paths),
		cmocka_unit_test(test_too_many_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
