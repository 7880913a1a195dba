// SPDX-License-Identifier: GPL-2.0-only
/* See cpu_use.h. The names in it have already been escaped. */
#include "user/view/check/cpu_use.h"

#include <inttypes.h>

#include "user/view/format/json.h"

/* Names that used most time, as text. Names that disagree are all shown. */
#define ROWS_MAX 10

static const struct {
	const char *word;
	const char *text;
} CAUSES[] = {
	[CPU_USE_UNKNOWN] = {"unknown", NULL},
	[CPU_USE_LOST] = {"lost", "the recording lost samples"},
	[CPU_USE_THROTTLED] = {"throttled", "the kernel throttled the event"},
	[CPU_USE_ALIKE] = {"alike",
		"all names miss samples alike: timers come late, as on a virtual machine that is "
		"off its CPU"},
	[CPU_USE_SHORT] = {"short-lived",
		"events of tasks miss processes that live for less than a few periods, and their "
		"parents; events of CPUs (record -a) do not"},
};

static const char *verdict_word(enum cpu_use_verdict verdict)
{
	return verdict == CPU_USE_FEWER ? "fewer" : verdict == CPU_USE_MORE ? "more" : "agrees";
}

static uint64_t n_far(const struct cpu_use_view *view)
{
	uint64_t n = 0;

	for (size_t i = 0; i < cpu_use__n_rows(view->use); i++)
		n += cpu_use__row(view->use, i)->far;
	return n;
}

static void write_row(FILE *out, const struct cpu_use_row *row, const char *name)
{
	fprintf(out, "  %-24s %10.3f s %12" PRIu64 " %12.1f", name, (double)row->used_ns / 1e9,
		row->samples, row->expected);
	if (row->verdict == CPU_USE_FEWER)
		fprintf(out, "  fewer: %s", CAUSES[row->cause].word);
	else if (row->verdict == CPU_USE_MORE)
		fprintf(out, "  more");
	fputc('\n', out);
}

/* Explains the words beside the rows. */
static void write_causes(FILE *out, const struct cpu_use *use)
{
	for (size_t cause = 0; cause < sizeof(CAUSES) / sizeof(*CAUSES); cause++) {
		const struct cpu_use_row *all = cpu_use__all(use);
		bool met = all->verdict == CPU_USE_FEWER && all->cause == cause;

		for (size_t i = 0; !met && i < cpu_use__n_rows(use); i++)
			met = cpu_use__row(use, i)->verdict == CPU_USE_FEWER &&
			      cpu_use__row(use, i)->cause == cause;
		if (met && CAUSES[cause].text)
			fprintf(out, "  %s: %s\n", CAUSES[cause].word, CAUSES[cause].text);
	}
}

static void write_coverage(FILE *out, const struct cpu_use_view *view)
{
	const struct cpu_use_row *all = cpu_use__all(view->use);

	if (view->facts->shares)
		fprintf(out, "CPU time used: %.3f s; the shares of %s by name are compared\n",
			(double)all->used_ns / 1e9, view->event);
	else if (all->used_ns)
		fprintf(out,
			"samples of %s cover %.1f %% of the CPU time used (%.3f s of %.3f s)\n",
			view->event, 100.0 * (double)all->weight / (double)all->used_ns,
			(double)all->weight / 1e9, (double)all->used_ns / 1e9);
	else
		fprintf(out, "no CPU time was used\n");
}

void cpu_use_view__write(FILE *out, const struct cpu_use_view *view)
{
	size_t n, shown = 0;

	if (!view->recorded) {
		fprintf(out,
			view->why ? "CPU time used: not recorded: %s\n"
				  : "CPU time used: not recorded\n",
			view->why);
		return;
	}
	if (!view->use) {
		fprintf(out, "CPU time used: %.3f s, not compared with samples: %s\n",
			(double)view->total_ns / 1e9, view->why ? view->why : "");
		return;
	}
	write_coverage(out, view);
	n = cpu_use__n_rows(view->use);
	if (n)
		fprintf(out, "  %-24s %12s %12s %12s\n", "process name", "CPU time", "samples",
			"expected");
	for (size_t i = 0; i < n; i++) {
		const struct cpu_use_row *row = cpu_use__row(view->use, i);

		if (i >= ROWS_MAX && row->verdict == CPU_USE_AGREES)
			continue;
		write_row(out, row, row->name);
		shown++;
	}
	if (cpu_use__all(view->use)->verdict != CPU_USE_AGREES)
		write_row(out, cpu_use__all(view->use), "(all)");
	write_causes(out, view->use);
	if (n_far(view))
		fprintf(out,
			"note: process names with far fewer or far more samples than CPU time: "
			"%" PRIu64 "\n",
			n_far(view));
	if (shown < n)
		fprintf(out, "  … and %zu more name%s, which agree\n", n - shown,
			n - shown == 1 ? "" : "s");
	if (view->facts->other_ns)
		fprintf(out, "  names that are not distinguished used %.3f s\n",
			(double)view->facts->other_ns / 1e9);
	if (view->facts->missed)
		fprintf(out, "  the time of %" PRIu64 " process%s is not completely known\n",
			view->facts->missed, view->facts->missed == 1 ? "" : "es");
}

static struct json_object *row_json(const struct cpu_use_row *row, bool named)
{
	struct json_object *object = json_object_new_object();

	if (named)
		json__add_text(object, "name", row->name);
	json__add_number(object, "used_ns", row->used_ns);
	json__add_number(object, "processes", row->processes);
	json__add_number(object, "samples", row->samples);
	json__add_number(object, "periods", row->weight);
	json__add_number(object, "samples_expected", (uint64_t)(row->expected + 0.5));
	json__add_text(object, "verdict", verdict_word(row->verdict));
	json__add_bool(object, "far", row->far);
	if (row->verdict == CPU_USE_FEWER)
		json__add_text(object, "cause", CAUSES[row->cause].word);
	return object;
}

struct json_object *cpu_use_view__json(const struct cpu_use_view *view)
{
	struct json_object *object = json_object_new_object(), *names;

	json__add_bool(object, "recorded", view->recorded);
	json__add_bool(object, "compared", view->use != NULL);
	if (view->why)
		json__add_text(object, "why", view->why);
	if (view->recorded)
		json__add_number(object, "used_ns", view->total_ns);
	if (!view->use)
		return object;
	json__add_text(object, "event", view->event);
	json__add_text(object, "compares", view->facts->shares ? "shares" : "time");
	json__add_number(object, "other_ns", view->facts->other_ns);
	json__add_number(object, "missed_processes", view->facts->missed);
	json__add_number(object, "throttled", view->facts->throttled);
	json__add_number(object, "unnamed_samples", cpu_use__unnamed(view->use));
	json_object_object_add(object, "all", row_json(cpu_use__all(view->use), false));
	names = json_object_new_array();
	for (size_t i = 0; i < cpu_use__n_rows(view->use); i++)
		json_object_array_add(names, row_json(cpu_use__row(view->use, i), true));
	json_object_object_add(object, "names", names);
	return object;
}
