// SPDX-License-Identifier: GPL-2.0-only
/* See metrics.h; the format is OpenMetrics 1.0. */
#include "user/view/metrics.h"

#include <inttypes.h>

#include "user/view/replaced.h"

#define PREFIX "perfstamp_"

/* @unit, if there is one, is the end of @name. */
static void begin_family(
	FILE *out, const char *name, const char *type, const char *unit, const char *help)
{
	fprintf(out, "# TYPE " PREFIX "%s %s\n", name, type);
	if (unit)
		fprintf(out, "# UNIT " PREFIX "%s %s\n", name, unit);
	fprintf(out, "# HELP " PREFIX "%s %s\n", name, help);
}

static void write_label(FILE *out, const char *key, const char *value)
{
	fprintf(out, "%s=\"", key);
	for (; *value; value++) {
		if (*value == '\n')
			fputs("\\n", out);
		else if (*value == '"' || *value == '\\')
			fprintf(out, "\\%c", *value);
		else
			fputc(*value, out);
	}
	fputc('"', out);
}

static void write_counter(
	FILE *out, const char *name, const char *unit, const char *help, uint64_t n)
{
	begin_family(out, name, "counter", unit, help);
	fprintf(out, PREFIX "%s_total %" PRIu64 "\n", name, n);
}

static void write_gauge(
	FILE *out, const char *name, const char *unit, const char *help, double value)
{
	begin_family(out, name, "gauge", unit, help);
	fprintf(out, PREFIX "%s %.17g\n", name, value);
}

/* Of whole numbers that have no unit. */
static void write_number(FILE *out, const char *name, const char *help, uint64_t n)
{
	begin_family(out, name, "gauge", NULL, help);
	fprintf(out, PREFIX "%s %" PRIu64 "\n", name, n);
}

static void write_parts(FILE *out, const char *name, const char *help, const char *label,
	const struct metrics_part *parts, size_t n)
{
	begin_family(out, name, "counter", NULL, help);
	for (size_t i = 0; i < n; i++) {
		fprintf(out, PREFIX "%s_total{", name);
		write_label(out, label, parts[i].name);
		fprintf(out, "} %" PRIu64 "\n", parts[i].n);
	}
}

/*
 * A gauge, and not of OpenMetrics' type info: node_exporter reads files as the older text
 * format, has no such type, and would pass over the whole file.
 */
static void write_build(FILE *out, const struct metrics *metrics)
{
	begin_family(out, "build_info", "gauge", NULL,
		"Command, version and method to observe mappings.");
	fputs(PREFIX "build_info{", out);
	write_label(out, "command", metrics->command);
	fputc(',', out);
	write_label(out, "version", metrics->version);
	fputc(',', out);
	write_label(out, "rung", metrics->rung);
	fputs("} 1\n", out);
}

static void write_maps(FILE *out, const struct metrics *metrics)
{
	uint64_t files = metrics->maps - metrics->anonymous;
	uint64_t known = metrics->identified + metrics->cookies;
	const struct metrics_part parts[] = {
		{"build-id", metrics->identified},
		{"cookie", metrics->cookies},
		{"none", files - known},
		{"anonymous", metrics->anonymous},
	};

	write_parts(out, "maps", "Executable mappings in user space, by kind of identity.",
		"identity", parts, sizeof(parts) / sizeof(parts[0]));
	write_gauge(out, "coverage_ratio", "ratio",
		"Share of the mappings of files that have an identity.",
		files ? (double)known / (double)files : 1);
}

static void write_replaced(FILE *out, const struct replaced_counts *counts)
{
	begin_family(out, "replaced_dsos", "gauge", NULL,
		"Builds that are mapped but no longer at their path.");
	for (size_t i = 0; i < REPLACED_KINDS; i++) {
		fputs(PREFIX "replaced_dsos{", out);
		write_label(out, "kind", replaced_view__kind(i));
		fprintf(out, "} %zu\n", counts->dsos[i]);
	}
	write_number(
		out, "replaced_processes", "Processes that map any of them.", counts->processes);
}

void metrics__write_look(FILE *out, const struct metrics_look *look)
{
	write_replaced(out, &look->replaced);
	write_number(
		out, "replaced_looked_processes", "Processes that were examined.", look->processes);
	write_number(out, "replaced_denied_processes", "Processes that could not be examined.",
		look->denied);
	write_number(out, "replaced_unknown_files",
		"Mapped files that could not be compared with their paths.", look->unknown);
	fputs("# EOF\n", out);
}

void metrics__write(FILE *out, const struct metrics *metrics)
{
	const struct metrics_part modules[] = {
		{"load", metrics->modules_loaded}, {"unload", metrics->modules_unloaded}};

	write_build(out, metrics);
	write_gauge(out, "start_time_seconds", "seconds", "Start time, in seconds since 1970.",
		metrics->start_s);
	begin_family(out, "cpu_seconds", "counter", "seconds", "CPU time of the recorder.");
	fprintf(out, PREFIX "cpu_seconds_total %.6f\n", metrics->cpu_s);
	write_gauge(out, "resident_memory_bytes", "bytes", "Resident memory of the recorder.",
		(double)metrics->rss_bytes);
	write_maps(out, metrics);
	write_parts(out, "modules", "Kernel modules loaded and unloaded.", "event", modules, 2);
	write_parts(out, "lost", "Losses, by cause.", "cause", metrics->losses, metrics->n_losses);
	write_counter(out, "snapshots", NULL,
		"How often the existing state was read again after a loss.", metrics->snapshots);
	write_gauge(out, "perf_ring_fill_ratio", "ratio",
		"How full the fullest perf ring was when it was last read.",
		metrics->perf_ring_fill);
	write_gauge(out, "bpf_ring_fill_ratio", "ratio",
		"How full the ring of map records was when it was last read.",
		metrics->bpf_ring_fill);
	if (metrics->records) {
		write_counter(out, "samples", NULL, "Samples recorded.", metrics->samples);
		write_counter(
			out, "written_bytes", "bytes", "Bytes recorded.", metrics->written_bytes);
	}
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
