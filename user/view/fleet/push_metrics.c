// SPDX-License-Identifier: GPL-2.0-only
/* See push_metrics.h. */
#include "user/view/fleet/push_metrics.h"

#include <inttypes.h>
#include <stddef.h>

#include "user/view/format/openmetrics.h"

#define PREFIX OPENMETRICS_PREFIX

static void write_build(FILE *out, const struct push_metrics *metrics)
{
	openmetrics__begin(out, "push_build_info", "gauge", NULL, "Version and kind of receiver.");
	fputs(PREFIX "push_build_info{", out);
	openmetrics__label(out, "version", metrics->version);
	fputc(',', out);
	openmetrics__label(out, "receiver", metrics->receiver);
	fputs("} 1\n", out);
}

static void write_files(FILE *out, const struct push_metrics *metrics)
{
	const struct {
		const char *result;
		uint64_t n;
	} files[] = {
		{"sent", metrics->sent},
		{"before", metrics->before},
		{"refused", metrics->refused},
		{"missed", metrics->missed},
	};

	openmetrics__begin(out, "push_files", "counter", NULL,
		"Files by result: sent, sent before, refused, removed before they were sent.");
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		fprintf(out, PREFIX "push_files_total{result=\"%s\"} %" PRIu64 "\n",
			files[i].result, files[i].n);
}

static void write_counter(
	FILE *out, const char *name, const char *unit, const char *help, uint64_t n)
{
	openmetrics__begin(out, name, "counter", unit, help);
	fprintf(out, PREFIX "%s_total %" PRIu64 "\n", name, n);
}

void push_metrics__write(FILE *out, const struct push_metrics *metrics)
{
	write_build(out, metrics);
	openmetrics__gauge(out, "push_start_time_seconds", "seconds",
		"Start time, in seconds since 1970.", metrics->start_s);
	openmetrics__begin(out, "push_cpu_seconds", "counter", "seconds",
		"CPU time of push and its child processes.");
	fprintf(out, PREFIX "push_cpu_seconds_total %.6f\n", metrics->cpu_s);
	openmetrics__gauge(out, "push_resident_memory_bytes", "bytes", "Resident memory of push.",
		(double)metrics->rss_bytes);
	write_files(out, metrics);
	write_counter(out, "push_bytes", "bytes", "Bytes that an HTTP receiver has confirmed.",
		metrics->bytes);
	write_counter(out, "push_rows", NULL,
		"Sightings and replacements that a database has confirmed.", metrics->rows);
	write_counter(out, "push_failures", NULL, "Tries that failed and are repeated.",
		metrics->failures);
	openmetrics__number(
		out, "push_waiting_files", "Files that are still to be sent.", metrics->waiting);
	openmetrics__gauge(out, "push_oldest_waiting_seconds", "seconds",
		"When the oldest of these files was completed, in seconds since 1970; 0 if there "
		"is "
		"none.",
		metrics->oldest_waiting_s);
	openmetrics__gauge(out, "push_last_sent_seconds", "seconds",
		"When the last file was sent, in seconds since 1970; 0 if none was.",
		metrics->last_sent_s);
	fputs("# EOF\n", out);
}
