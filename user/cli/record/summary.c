// SPDX-License-Identifier: GPL-2.0-only
/* See summary.h. */
#include "user/cli/record/summary.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "user/base/text.h"
#include "user/cli/input.h"
#include "user/view/headline.h"

#define COUNT_SAMPLES_MAX 500000
#define COUNT_BYTES_MAX (64ull << 20)

#define COVERAGE_NS 50000000ull /* below this CPU time, the coverage is not judged */

static int ignore(void *ctx, const struct perfdata_reader *reader, const struct model *model,
	const struct event *event)
{
	(void)ctx;
	(void)reader;
	(void)model;
	(void)event;
	return 0;
}

static void show_size(uint64_t bytes, char *text, size_t size)
{
	snprintf(text, size, bytes < 1000000 ? "%.3f MB" : "%.1f MB", (double)bytes / 1e6);
}

static void show_identities(const struct recorder_summary *summary)
{
	const uint64_t *n = summary->counters.n;

	fprintf(stderr,
		"perfstamp record: rung %s; %" PRIu64 " maps with a build-id (%" PRIu64
		" completed in user space), %" PRIu64 " with a cookie, %" PRIu64
		" anonymous, %" PRIu64 " unreadable",
		summary->rung, n[COUNTER_IDENTIFIED], n[COUNTER_COMPLETED], n[COUNTER_COOKIES],
		n[COUNTER_ANONYMOUS], n[COUNTER_UNREADABLE]);
	/* MMAP2 records do not contain how the kernel found a build-id. */
	if (strcmp(summary->rung, RECORDER_RUNG_MMAP2) != 0)
		fprintf(stderr, "; the kernel side read %" PRIu64 ", and knew %" PRIu64,
			n[COUNTER_IDENTITIES_READ], n[COUNTER_IDENTITIES_STASHED]);
	fputc('\n', stderr);
}

/* Shows the coverage. Used if tasks have their own events: see perf/tree_plan.h. */
static void show_coverage(const struct recorder_summary *summary)
{
	double covered;

	/* Few samples prove nothing. */
	if (!summary->cpu_used_ns || summary->cpu_used_ns < COVERAGE_NS)
		return;
	covered = 100.0 * (double)summary->cpu_covered_ns / (double)summary->cpu_used_ns;
	if (covered > 90)
		return;
	fprintf(stderr,
		"perfstamp record: samples cover %.*f%% of the CPU time used: processes that live "
		"for less than a few sampling periods are under-sampled, and time that the event "
		"excludes (:u) is not sampled; root, or CAP_BPF with CAP_PERFMON, samples short "
		"processes like others\n",
		covered < 10, covered);
}

/* Counts sampled builds whose path was mapped with another content later. */
static uint64_t count_replaced(struct model *model)
{
	struct sighting_lives lives;
	uint64_t n = 0;

	for (size_t i = 0; i < model__n_sightings(model); i++) {
		const struct sighting *sighting = model__sighting(model, i);

		model__lives(model, i, &lives);
		n += !sighting->kernel && sighting->samples && lives.n_outdated;
	}
	return n;
}

/* Reads the file that was written. Returns false if it is too large, or cannot be read. */
static bool count_samples(struct model_ledger *ret, uint64_t *ret_replaced,
	const struct recorder_summary *summary, bool failed)
{
	const struct input_tap silent = {.fn = ignore, .again = true, .lives = true};
	const uint64_t *n = summary->counters.n;
	struct input input;
	struct error err;
	bool counted;

	if (!summary->newest || summary->files > 1 ||
		(!failed && (n[COUNTER_SAMPLES] > COUNT_SAMPLES_MAX ||
				    n[COUNTER_BYTES] > COUNT_BYTES_MAX)))
		return false;
	counted = !input__read_with(&input, summary->newest, &silent, &err) && input.model;
	if (counted) {
		*ret = *model__ledger(input.model);
		*ret_replaced = count_replaced(input.model);
	}
	input__free(&input);
	return counted;
}

/* Prints "331 samples, 99.2% identified (2 not mapped), 5 maps of 4 DSOs". */
static void show_counted(const struct recorder_summary *summary, const struct model_ledger *ledger)
{
	const uint64_t *n = summary->counters.n;
	char share[16], missing[HEADLINE_MAX];

	fprintf(stderr, "%" PRIu64 " sample%s", ledger->samples, ledger->samples == 1 ? "" : "s");
	if (ledger->samples) {
		headline__share(
			share, sizeof(share), headline__identified(ledger), ledger->samples);
		headline__missing(missing, sizeof(missing), ledger);
		fprintf(stderr, ", %s identified%s%s%s", share, *missing ? " (" : "", missing,
			*missing ? ")" : "");
	}
	fprintf(stderr, ", %" PRIu64 " map%s of %" PRIu64 " DSO%s", n[COUNTER_MAPS],
		n[COUNTER_MAPS] == 1 ? "" : "s", n[COUNTER_DSOS], n[COUNTER_DSOS] == 1 ? "" : "s");
}

/* Prints "9000000 samples, 4213 maps of 4 DSOs, 99.9% of maps identified". */
static void show_uncounted(const struct recorder_summary *summary)
{
	const uint64_t *n = summary->counters.n;
	uint64_t files = n[COUNTER_MAPS] - n[COUNTER_ANONYMOUS];
	uint64_t samples = n[COUNTER_SAMPLES] - summary->no_file;
	char share[16] = "100%";

	if (files)
		headline__share(
			share, sizeof(share), n[COUNTER_IDENTIFIED] + n[COUNTER_COOKIES], files);
	fprintf(stderr, "%" PRIu64 " sample%s, %" PRIu64 " map%s", samples, samples == 1 ? "" : "s",
		n[COUNTER_MAPS], n[COUNTER_MAPS] == 1 ? "" : "s");
	if (summary->files <= 1)
		fprintf(stderr, " of %" PRIu64 " DSO%s", n[COUNTER_DSOS],
			n[COUNTER_DSOS] == 1 ? "" : "s");
	fprintf(stderr, ", %s of maps of files identified", share);
}

static void show_line(const struct recorder_summary *summary, bool failed)
{
	const uint64_t *n = summary->counters.n;
	struct model_ledger ledger;
	const char *name = summary->newest && summary->files <= 1 ? summary->newest
								  : summary->output;
	char size[32], shown[4 * PATH_MAX];
	uint64_t n_replaced = 0;

	show_size(n[COUNTER_BYTES], size, sizeof(size));
	text__escape(shown, sizeof(shown), name);
	fputs("[ perfstamp record: ", stderr);
	if (count_samples(&ledger, &n_replaced, summary, failed))
		show_counted(summary, &ledger);
	else
		show_uncounted(summary);
	fprintf(stderr, ", %" PRIu64 " lost; ",
		n[COUNTER_LOST_PERF_RINGS] + counters__lost_maps(&summary->counters) +
			summary->no_file);
	if (summary->files > 1)
		fprintf(stderr, "%s.*: %" PRIu64 " files, %" PRIu64 " removed, ", shown,
			summary->files, summary->removed);
	else
		fprintf(stderr,
			"%s: ", summary->newest || summary->pipe ? shown : "no file was written");
	fprintf(stderr, "%s ]\n", size);
	/* Their files may be gone: symbols are copied while files are mapped, or never. */
	if (n_replaced && !summary->capture)
		fprintf(stderr,
			"perfstamp record: %" PRIu64
			" sampled build%s %s replaced while recording; "
			"--capture would have kept %s symbols\n",
			n_replaced, n_replaced == 1 ? "" : "s", n_replaced == 1 ? "was" : "were",
			n_replaced == 1 ? "its" : "their");
}

/* Prints "3 map records lost (ring full: 2, use a larger --map-ring-size; lookup failed: 1); …" */
static void show_lost_maps(const struct counters *counters)
{
	uint64_t lost = counters__lost_maps(counters), again = counters->n[COUNTER_SNAPSHOTS];
	const char *before = " (";

	fprintf(stderr, "perfstamp record: %" PRIu64 " map record%s lost", lost,
		lost == 1 ? "" : "s");
	for (size_t i = 0; i < LOSS_CAUSES_N; i++) {
		uint64_t n = counters->n[counter__of_loss(i)];
		const char *words = loss_cause__of_maps(i);
		const char *remedy = loss_cause__remedy(loss_cause__name(i));

		if (!words || !n)
			continue;
		fprintf(stderr, "%s%s: %" PRIu64 "%s%s", before, words, n, remedy ? ", use " : "",
			remedy ? remedy : "");
		before = "; ";
	}
	fprintf(stderr, "); the existing state was read again %" PRIu64 " time%s\n", again,
		again == 1 ? "" : "s");
}

void record_summary__show(const struct recorder_summary *summary, bool verbose, bool failed)
{
	const uint64_t *n = summary->counters.n;

	show_line(summary, failed);
	if (counters__lost_maps(&summary->counters))
		show_lost_maps(&summary->counters);
	if (n[COUNTER_LOST_PERF_RINGS])
		fprintf(stderr,
			"perfstamp record: %" PRIu64 " record%s lost because the perf rings were "
			"full: use a larger -m or a lower "
			"-F\n",
			n[COUNTER_LOST_PERF_RINGS], n[COUNTER_LOST_PERF_RINGS] == 1 ? "" : "s");
	if (n[COUNTER_MODULES_LOST])
		fprintf(stderr,
			"perfstamp record: %" PRIu64
			" records of kernel modules were lost; the present modules were read "
			"instead (perfstamp list --modules: inferred)\n",
			n[COUNTER_MODULES_LOST]);
	if (n[COUNTER_LOST_PIDS_FULL])
		fprintf(stderr,
			"perfstamp record: %" PRIu64 " child%s could not be followed at once, and "
			"%s not sampled until then: too "
			"many processes; record with -a\n",
			n[COUNTER_LOST_PIDS_FULL], n[COUNTER_LOST_PIDS_FULL] == 1 ? "" : "ren",
			n[COUNTER_LOST_PIDS_FULL] == 1 ? "was" : "were");
	if (n[COUNTER_UNNAMED])
		fprintf(stderr,
			"perfstamp record: samples of %" PRIu64
			" exiting tasks may have no process name: a table was full\n",
			n[COUNTER_UNNAMED]);
	if (summary->cpu_used_ns)
		show_coverage(summary);
	if (verbose && n[COUNTER_BPF_GONE] + n[COUNTER_BPF_LEFT_OUT])
		fprintf(stderr,
			"perfstamp record: of %" PRIu64
			" BPF programs the code is recorded; %" PRIu64
			" were unloaded before it could be read, %" PRIu64
			" were hidden or too large\n",
			n[COUNTER_BPF_PROGRAMS], n[COUNTER_BPF_GONE], n[COUNTER_BPF_LEFT_OUT]);
	if (verbose)
		show_identities(summary);
}
