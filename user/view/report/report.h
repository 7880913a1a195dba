/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A report as text like `perf report --stdio', as JSON, or folded for flame graphs; its source
 * lines; and the samples without names, with the reason and the remedy. Reads the model; does not
 * know files.
 */
#ifndef PERFSTAMP_VIEW_REPORT_H
#define PERFSTAMP_VIEW_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "user/model/profile/annotation.h"
#include "user/model/profile/lacks.h"
#include "user/model/profile/sources.h"
#include "user/model/profile/unwinding.h"
#include "user/view/report/view.h"

/* Errors of writing stick to @out. Each returns 0 or -ENOMEM. */
int report_view__text(FILE *out, const struct report_view *view);
int report_view__json(FILE *out, const struct report_view *view);
/*
 * Receives one line of the table: first the titles, with a @row of SIZE_MAX, then each row. A
 * non-zero result ends the current call, which returns it.
 */
typedef int report_line_fn(void *ctx, const char *line, size_t row);
/*
 * Passes the lines of one event's table, without call graphs, to @fn. Returns 0, -ENOMEM, or the
 * result of @fn.
 */
int report_view__lines(
	const struct report_view *view, uint32_t event, report_line_fn *fn, void *ctx);
/* Whether @event has a table: it leads a group, or is in none. */
bool report_view__is_leader(const struct report_view *view, uint32_t event);
/* Returns the number of samples in its table. */
uint64_t report_view__samples(const struct report_view *view, uint32_t event);
/* Writes "event 'cpu-clock'", or as perf "events 'anon group { cpu-clock, page-faults }'". */
void report_view__event(FILE *out, const struct report_view *view, uint32_t event);
/* Writes the call graph of row @i, if it has one. */
void report_view__graph(FILE *out, const struct report_view *view, size_t i);
/* Writes "comm;main;work 12": a line for each call chain of the first event that has samples. */
int report_view__folded(FILE *out, const struct report_view *view);
/*
 * Writes the source lines that have samples, for each file with a .source in @view's .resolved.
 * @sources must belong to @view's .report. As text, or as JSON lines.
 */
int report_view__sources(
	FILE *out, const struct report_view *view, const struct sources *sources, bool json);
/* What the percentages of an annotation count, and of which total: perf's --percent-type. */
enum annotation_percent {
	ANNOTATION_LOCAL_PERIOD,  /* periods, of the function's */
	ANNOTATION_GLOBAL_PERIOD, /* periods, of all samples of the event */
	ANNOTATION_LOCAL_HITS,    /* samples, of the function's */
	ANNOTATION_GLOBAL_HITS,
};

/* Writes the instructions of a function, with lines of source, as text or as a JSON line. */
int report_view__annotation(FILE *out, const struct report_view *view,
	const struct annotation *annotation, enum annotation_percent percent, bool json);
/* Writes the samples without a name, as text or as JSON lines. */
void report_view__lacks(
	FILE *out, const struct report_view *view, const struct lacks *lacks, bool json);

/*
 * Writes the number of incompletely unwound stacks, and where they ended; nothing if there are
 * none. Each line begins with @before.
 */
void report_view__unwinding(FILE *out, const struct unwinding *unwinding, const char *before);

/* Writes "[k] do_syscall", or the address if there is no name; or @inlined, if not NULL. */
void report_view__symbol(
	FILE *out, const struct report_view *view, uint32_t place, const char *inlined);
/* Returns the name of a place's DSO as in perf: the file's name without directories. */
const char *report_view__dso(
	const struct report_view *view, uint32_t place, char *ret, size_t size);
/* Returns the origin of a name: "symtab", …; NULL: there is no name. */
const char *report_view__origin(enum symbol_origin origin);
/* Returns why there is no name: "no-file", …; NULL: there is one. */
const char *report_view__lack(enum symbol_lack lack);

/* Writes the share of the recording's samples that have an identity, as a comment of the table. */
void report_view__headline(FILE *out, const struct report_view *view);
/* Writes the share and the losses, as an object of the type "recording". */
void report_view__json_recording(FILE *out, const struct report_view *view);

#endif
