// SPDX-License-Identifier: GPL-2.0-only
/*
 * The OpenMetrics text, to the letter: families with type, unit and help, counters that
 * end in _total, labels escaped, and an end mark.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "user/view/metrics.h"

static char *write_all(const struct metrics *metrics)
{
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	metrics__write(out, metrics);
	assert_int_equal(fclose(out), 0);
	return text;
}

static void has(const char *text, const char *lines)
{
	if (!strstr(text, lines))
		fail_msg("missing:\n%s\nin:\n%s", lines, text);
}

static const struct metrics RECORDING = {
	.command = "record",
	.version = "1",
	.rung = "kprobe",
	.start_s = 1700000000.5,
	.cpu_s = 1.25,
	.rss_bytes = 4096,
	.counters =
		{
			.n = {[COUNTER_MAPS] = 10,
				[COUNTER_IDENTIFIED] = 5,
				[COUNTER_COOKIES] = 1,
				[COUNTER_UNREADABLE] = 2,
				[COUNTER_ANONYMOUS] = 2,
				[COUNTER_LOST_RING_FULL] = 3,
				[COUNTER_LOST_CPU] = 4,
				[COUNTER_MODULES_LOADED] = 6,
				[COUNTER_SAMPLES] = 18446744073709551615u,
				[COUNTER_BYTES] = 7},
			.gauges = {[GAUGE_PERF_RING_FILL] = 0.5},
		},
	.records = true,
};

static void test_recording(void **state)
{
	char *text = write_all(&RECORDING);

	(void)state;
	has(text, "# TYPE perfstamp_build_info gauge\n"
		  "# HELP perfstamp_build_info Command, version and method to observe mappings.\n"
		  "perfstamp_build_info{command=\"record\",version=\"1\",rung=\"kprobe\"} 1\n");
	has(text, "\nperfstamp_start_time_seconds 1700000000.5\n");
	has(text, "# TYPE perfstamp_cpu_seconds counter\n# UNIT perfstamp_cpu_seconds seconds\n");
	has(text, "\nperfstamp_cpu_seconds_total 1.250000\n");
	has(text, "perfstamp_maps_total{identity=\"build-id\"} 5\n"
		  "perfstamp_maps_total{identity=\"cookie\"} 1\n"
		  "perfstamp_maps_total{identity=\"none\"} 2\n"
		  "perfstamp_maps_total{identity=\"anonymous\"} 2\n");
	has(text, "\nperfstamp_coverage_ratio 0.75\n");
	has(text, "# TYPE perfstamp_lost counter\n# HELP perfstamp_lost Losses, by cause.\n"
		  "perfstamp_lost_total{cause=\"ring-full\"} 3\n"
		  "perfstamp_lost_total{cause=\"recursion\"} 0\n");
	has(text, "\nperfstamp_lost_total{cause=\"cpu-off-line\"} 4\n# TYPE perfstamp_modules ");
	has(text, "\nperfstamp_modules_total{event=\"load\"} 6\n"
		  "perfstamp_modules_total{event=\"unload\"} 0\n");
	has(text, "\nperfstamp_snapshots_total 0\n");
	has(text, "\nperfstamp_perf_ring_fill_ratio 0.5\n");
	has(text, "\nperfstamp_samples_total 18446744073709551615\n");
	has(text, "\nperfstamp_written_bytes_total 7\n");
	assert_null(strstr(text, "perfstamp_seen"));
	assert_string_equal(text + strlen(text) - strlen("\n# EOF\n"), "\n# EOF\n");
	free(text);
}

static void test_watch(void **state)
{
	static const struct metrics_part SEEN[] = {{"dso", 8}, {"module", 0}};
	static const struct metrics_part LEFT_OUT[] = {{"dso", 1}, {"a\"b\\c\nd", 2}};
	const struct metrics watch = {
		.command = "watch",
		.version = "1",
		.rung = "MMAP2",
		.seen = SEEN,
		.left_out = LEFT_OUT,
		.n_kinds = 2,
	};
	char *text = write_all(&watch);

	(void)state;
	/* Where nothing was mapped, nothing is missing. */
	has(text, "\nperfstamp_coverage_ratio 1\n");
	has(text, "\nperfstamp_seen_total{kind=\"dso\"} 8\nperfstamp_seen_total{kind=\"module\"} "
		  "0\n");
	has(text, "\nperfstamp_left_out_total{kind=\"dso\"} 1\n"
		  "perfstamp_left_out_total{kind=\"a\\\"b\\\\c\\nd\"} 2\n");
	assert_null(strstr(text, "perfstamp_samples"));
	free(text);
}

static const struct replaced_counts REPLACED = {
	.dsos = {[REPLACED_CONTENT] = 3, [REPLACED_GONE] = 1},
	.processes = 70,
};

static void test_replaced(void **state)
{
	static const char LINES[] = "\nperfstamp_replaced_dsos{kind=\"replaced\"} 3\n"
				    "perfstamp_replaced_dsos{kind=\"gone\"} 1\n"
				    "perfstamp_replaced_dsos{kind=\"unlinked\"} 0\n"
				    "# TYPE perfstamp_replaced_processes gauge\n";
	const struct metrics_look look = {REPLACED, .processes = 90, .denied = 4, .unknown = 5};
	struct metrics watch = RECORDING;
	char *text = write_all(&watch);
	size_t size;
	FILE *out;

	(void)state;
	assert_null(strstr(text, "replaced"));
	free(text);
	watch.replaced = &REPLACED;
	text = write_all(&watch);
	has(text, LINES);
	has(text, "\nperfstamp_replaced_processes 70\n# EOF\n");
	free(text);

	out = open_memstream(&text, &size);
	assert_non_null(out);
	metrics__write_look(out, &look);
	assert_int_equal(fclose(out), 0);
	has(text, LINES);
	has(text, "\nperfstamp_replaced_processes 70\n");
	has(text, "\nperfstamp_replaced_looked_processes 90\n");
	has(text, "\nperfstamp_replaced_denied_processes 4\n");
	has(text, "\nperfstamp_replaced_unknown_files 5\n# EOF\n");
	free(text);
}

/*
 * Each family is told of once, before its numbers, which follow at once; its type is one
 * that the text format before OpenMetrics has, too, which node_exporter reads files by.
 */
static void test_families(void **state)
{
	struct metrics all = RECORDING;
	char *text, *line, *rest, family[64] = "", *known;
	size_t len;

	(void)state;
	all.replaced = &REPLACED;
	rest = text = write_all(&all);
	known = calloc(1, strlen(text) + 1);
	while ((line = strsep(&rest, "\n")) && *line) {
		if (!strncmp(line, "# TYPE ", 7)) {
			len = strcspn(line + 7, " ");
			snprintf(family, sizeof(family), " %.*s ", (int)len, line + 7);
			assert_null(strstr(known, family));
			strcat(known, family);
			assert_true(!strcmp(line + 7 + len, " counter") ||
				    !strcmp(line + 7 + len, " gauge"));
		} else if (line[0] == '#' && strcmp(line, "# EOF") != 0) {
			len = strlen("# UNIT ");
			assert_memory_equal(line + len, family + 1, strlen(family) - 1);
		} else if (line[0] != '#') {
			assert_memory_equal(line, family + 1, strlen(family) - 2);
		}
	}
	free(known);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recording),
		cmocka_unit_test(test_watch),
		cmocka_unit_test(test_replaced),
		cmocka_unit_test(test_families),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
