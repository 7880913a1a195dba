/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the forms of a report: percentages, labels, cells. Does not know the forms. */
#ifndef PERFSTAMP_VIEW_REPORT_PRIVATE_H
#define PERFSTAMP_VIEW_REPORT_PRIVATE_H

#include <stdio.h>

#include "user/model/profile/lacks.h"
#include "user/view/format/json.h"
#include "user/view/report/view.h"

/* perf's mark of an inlined function, after its name. */
#define REPORT_INLINED " (inlined)"

/* Which DSOs share their name with another one. */
struct labels {
	bool *shared; /* by the number of the DSO */
	size_t n;
};

/* Returns 0 or -ENOMEM. */
int labels__find(struct labels *ret, const struct report_view *view);
bool labels__is_shared(const struct labels *labels, uint32_t dso);
void labels__free(struct labels *labels);

double report_view__percent(uint64_t part, uint64_t whole);
double report_view__percent_of_latency(double part, double whole);
/* Of a place's DSO, or NULL if it is in none. */
const struct perfstamp_identity *report_view__identity(
	const struct report_view *view, uint32_t place);
/* Its build-id, up to @digits of it, or its cookie; "-" where it has neither. */
void report_view__write_build_id(
	FILE *out, const struct report_view *view, uint32_t place, size_t digits);
/*
 * Its name, followed by the start of its identity and the number of its content if others
 * have the same name.
 */
void report_view__write_dso(
	FILE *out, const struct report_view *view, const struct labels *labels, uint32_t place);
/* The keys of a place's DSO. */
void report_view__add_dso(
	struct json_object *object, const struct report_view *view, uint32_t place);
/* The text for a place without a name: its address, or one text for the whole DSO. */
void report_view__nameless(FILE *out, const struct report_view *view, uint32_t place, bool wide);
/* Whether @key distinguishes rows. */
bool report_view__has_key(const struct report_view *view, enum report_key key);
/* The title of a column, and whether it stands at the right. */
const char *report_view__title(const struct report_view *view, enum report_key column);
bool report_view__is_number(enum report_key column);
/* The columns of the table, up to REPORT_COLUMNS; returns their number. */
size_t report_view__columns(const struct report_view *view, enum report_key *ret);
/* The text in @column of @row. */
void report_view__cell(FILE *out, const struct report_view *view, const struct labels *labels,
	const struct report_row *row, enum report_key column);
/* The lines above the table of an event. */
void report_view__heading(FILE *out, const struct report_view *view, uint32_t event);
/* The rows of an event, each below the one that it is a part of. Returns 0 or -ENOMEM. */
int report_view__hierarchy(
	FILE *out, const struct report_view *view, const struct labels *labels, uint32_t event);
/* Not below the limit. */
bool report_view__is_shown(const struct report_view *view, const struct report_row *row);

/*
 * For each runtime whose processes have samples in unnamed code: the switch that
 * makes it write names.
 */
void report_view__runtimes(FILE *out, const struct report_view *view, const struct lacks *lacks);

#endif
