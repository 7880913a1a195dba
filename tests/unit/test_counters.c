// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of counters: what follows from the kind of a row, and the lines that files have had
 * since their first version, in this order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "user/perfdata/features/counters.h"
#include "user/perfdata/features/stamp.h"

/* The counters of a recording that has gone on for a while. */
static struct counters some(uint64_t factor)
{
	struct counters counters = {.gauges = {[GAUGE_PERF_RING_FILL] = 0.5}};

	for (size_t i = 0; i < COUNTERS_N; i++)
		counters.n[i] = factor * (i + 1);
	return counters;
}

static void test_differences(void **state)
{
	struct counters now = some(3), base = some(1), later = some(5);

	(void)state;
	counters__subtract(&now, &base);
	for (size_t i = 0; i < COUNTERS_N; i++)
		assert_int_equal(
			now.n[i], (counter__row(i)->kind == COUNTER_SINCE ? 2 : 3) * (i + 1));
	/* One that was reset meanwhile is not huge. */
	counters__subtract(&now, &later);
	assert_int_equal(now.n[COUNTER_SAMPLES], 0);
}

static void test_sums(void **state)
{
	struct counters all = some(1), file = some(4), repeated = some(2), sums = some(10);

	(void)state;
	counters__add_file(&all, &file, &repeated);
	assert_int_equal(all.n[COUNTER_MAPS], 3 * (COUNTER_MAPS + 1));
	assert_int_equal(all.n[COUNTER_BYTES], 3 * (COUNTER_BYTES + 1));
	assert_int_equal(all.n[COUNTER_SAMPLES], COUNTER_SAMPLES + 1);
	assert_int_equal(all.n[COUNTER_DSOS], COUNTER_DSOS + 1);
	counters__add_file(&all, &file, NULL);
	assert_int_equal(all.n[COUNTER_MAPS], 7 * (COUNTER_MAPS + 1));
	counters__take_anew(&sums, &all);
	assert_int_equal(sums.n[COUNTER_MAPS], 7 * (COUNTER_MAPS + 1));
	assert_int_equal(sums.n[COUNTER_SAMPLES], 10 * (COUNTER_SAMPLES + 1));
}

static void test_next_file(void **state)
{
	struct counters counters = some(1);

	(void)state;
	counters__begin_file(&counters);
	assert_int_equal(counters.n[COUNTER_MAPS], 0);
	assert_int_equal(counters.n[COUNTER_DSOS], 0);
	assert_int_equal(counters.n[COUNTER_LOST_LOOKUP], COUNTER_LOST_LOOKUP + 1);
	assert_int_equal(counters.n[COUNTER_SAMPLES], COUNTER_SAMPLES + 1);
}

static void test_losses(void **state)
{
	struct counters counters = {.n = {[COUNTER_LOST_RING_FULL] = 1,
					    [COUNTER_LOST_RECURSION] = 2,
					    [COUNTER_LOST_LOOKUP] = 4,
					    [COUNTER_LOST_PIDS_FULL] = 8,
					    [COUNTER_LOST_PERF_RINGS] = 16,
					    [COUNTER_LOST_CPU] = 32,
					    [COUNTER_MODULES_LOST] = 64}};

	(void)state;
	assert_int_equal(counters__lost_maps(&counters), 7);
	assert_int_equal(counters__lost(&counters), 63);
	for (size_t i = 0; i < LOSS_CAUSES_N; i++)
		assert_string_equal(counter__row(counter__of_loss(i))->value, loss_cause__name(i));
	assert_string_equal(loss_cause__remedy("perf-rings"), "a larger -m or a lower -F");
	assert_null(loss_cause__remedy("recursion"));
	assert_null(loss_cause__remedy("of a later version"));
}

static void test_lines(void **state)
{
	static const char *const LINES[] = {"maps", "maps.identified", "maps.cookies",
		"maps.anonymous", "maps.completed", "maps.late", "lost.ring-full", "lost.recursion",
		"lost.lookup", "lost.pids-full", "lost.perf-rings", "lost.cpu-off-line",
		"modules.loaded", "modules.unloaded", "lost.modules", "bpf.programs", "bpf.gone",
		"bpf.left-out", "snapshots"};
	struct counters counters = {.n = {[COUNTER_LATE] = 7}};
	struct buffer out, expected;

	(void)state;
	buffer__init(&out, 0);
	buffer__init(&expected, 0);
	for (size_t i = 0; i < sizeof(LINES) / sizeof(LINES[0]); i++)
		stamp__put_number(&expected, LINES[i], strcmp(LINES[i], "maps.late") ? 0 : 7);
	counters__stamp(&counters, &out);
	assert_int_equal(out.size, expected.size);
	assert_memory_equal(out.data, expected.data, out.size);
	buffer__free(&out);
	buffer__free(&expected);
}

/* OpenMetrics refuses a family that is in two places, or has no help. */
static void test_metrics(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNTERS_N; i++) {
		const struct counter_row *row = counter__row(i);

		if (!row->metric)
			continue;
		assert_true(!row->label == !row->value);
		for (size_t j = 0; j < i; j++) {
			const char *other = counter__row(j)->metric;

			if (!other || strcmp(other, row->metric) != 0)
				continue;
			assert_non_null(row->label);
			for (size_t between = j; between < i; between++)
				assert_string_equal(counter__row(between)->metric, row->metric);
			break;
		}
		if (!i || !counter__row(i - 1)->metric ||
			strcmp(counter__row(i - 1)->metric, row->metric) != 0)
			assert_non_null(row->help);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_differences),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_next_file),
		cmocka_unit_test(test_losses),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_metrics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
