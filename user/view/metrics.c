// SPDX-License-Identifier: GPL-2.0-only
/* See metrics.h; the format is OpenMetrics 1.0. */
#include "user/view/metrics.h"

#include <inttypes.h>
#include <string.h>

#include "user/view/format/openmetrics.h"
#include "user/view/replaced.h"

#define PREFIX OPENMETRICS_PREFIX

static void write_parts(FILE *out, const char *name, const char *help, const char *label,
	const struct metrics_part *parts, size_t n)
{
	openmetrics__begin(out, name, "counter", NULL, help);
	for (size_t i = 0; i < n; i++) {
		fprintf(out, PREFIX "%s_total{", name);
		openmetrics__label(out, label, parts[i].name);
		fprintf(out, "} %" PRIu64 "\n", parts[i].n);
	}
}

/*
 * Writes the version as a gauge, not as OpenMetrics' type info: node_exporter reads files in the
 * older text format, which does not have this type, and would skip the whole file.
 */
static void write_build(FILE *out, const struct metrics *metrics)
{
	openmetrics__begin(out, "build_info", "gauge", NULL,
		"Command, version and method to observe mappings.");
	fputs(PREFIX "build_info{", out);
	openmetrics__label(out, "command", metrics->command);
	fputc(',', out);
	openmetrics__label(out, "version", metrics->version);
	fputc(',', out);
	openmetrics__label(out, "rung", metrics->rung);
	fputs("} 1\n", out);
}

/* Whether it is the first row of its metric. */
static bool is_first(size_t counter)
{
	const char *metric = counter__row(counter)->metric;
	const char *before = counter ? counter__row(counter - 1)->metric : NULL;

	return !before || strcmp(metric, before) != 0;
}

static bool is_counted(size_t counter, const struct metrics *metrics)
{
	return counter__row(counter)->metric &&
	       (metrics->records || (counter != COUNTER_SAMPLES && counter != COUNTER_BYTES));
}

static void write_counters(FILE *out, const struct metrics *metrics)
{
	for (size_t i = 0; i < COUNTERS_N; i++) {
		const struct counter_row *row = counter__row(i);

		if (!is_counted(i, metrics))
			continue;
		if (is_first(i))
			openmetrics__begin(out, row->metric, "counter", row->unit, row->help);
		fprintf(out, PREFIX "%s_total", row->metric);
		if (row->label) {
			fputc('{', out);
			openmetrics__label(out, row->label, row->value);
			fputc('}', out);
		}
		fprintf(out, " %" PRIu64 "\n", metrics->counters.n[i]);
	}
}

static void write_gauges(FILE *out, const struct counters *counters)
{
	uint64_t known = counters->n[COUNTER_IDENTIFIED] + counters->n[COUNTER_COOKIES];
	uint64_t files = known + counters->n[COUNTER_UNREADABLE];

	openmetrics__gauge(out, "coverage_ratio", "ratio",
		"Share of the mappings of files that have an identity.",
		files ? (double)known / (double)files : 1);
	for (size_t i = 0; i < GAUGES_N; i++)
		openmetrics__gauge(out, gauge__row(i)->metric, gauge__row(i)->unit,
			gauge__row(i)->help, counters->gauges[i]);
}

static void write_replaced(FILE *out, const struct replaced_counts *counts)
{
	openmetrics__begin(out, "replaced_dsos", "gauge", NULL,
		"Builds that are mapped but no longer at their path.");
	for (size_t i = 0; i < REPLACED_KINDS; i++) {
		fputs(PREFIX "replaced_dsos{", out);
		openmetrics__label(out, "kind", replaced_view__kind(i));
		fprintf(out, "} %zu\n", counts->dsos[i]);
	}
	openmetrics__number(
		out, "replaced_processes", "Processes that map any of them.", counts->processes);
}

void metrics__write_look(FILE *out, const struct metrics_look *look)
{
	write_replaced(out, &look->replaced);
	openmetrics__number(
		out, "replaced_looked_processes", "Processes that were examined.", look->processes);
	openmetrics__number(out, "replaced_denied_processes",
		"Processes that could not be examined.", look->denied);
	openmetrics__number(out, "replaced_unknown_files",
		"Mapped files that could not be compared with their paths.", look->unknown);
	fputs("# EOF\n", out);
}

void metrics__write(FILE *out, const struct metrics *metrics)
{
	write_build(out, metrics);
	openmetrics__gauge(out, "start_time_seconds", "seconds",
		"Start time, in seconds since 1970.", metrics->start_s);
	openmetrics__begin(out, "cpu_seconds", "counter", "seconds", "CPU time of the recorder.");
	fprintf(out, PREFIX "cpu_seconds_total %.6f\n", metrics->cpu_s);
	openmetrics__gauge(out, "resident_memory_bytes", "bytes",
		"Resident memory of the recorder.", (double)metrics->rss_bytes);
	write_counters(out, metrics);
	write_gauges(out, &metrics->counters);
	if (metrics->n_kinds) {
		write_parts(
			out, "seen", "Events, by kind.", "kind", metrics->seen, metrics->n_kinds);
		write_parts(out, "left_out", "Events suppressed by --rate, by kind.", "kind",
			metrics->left_out, metrics->n_kinds);
	}
	if (metrics->replaced)
		write_replaced(out, metrics->replaced);
	fputs("# EOF\n", out);
}
