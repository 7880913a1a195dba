/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the forms of a report: percentages, labels, cells. Does not know the forms. */
#ifndef PERFSTAMP_VIEW_REPORT_PRIVATE_H
#define PERFSTAMP_VIEW_REPORT_PRIVATE_H

#include <stdio.h>

#include "user/model/profile/lacks.h"
#include "user/view/format/json.h"
#include "user/view/report/view.h"

/* perf appends this to the name of an inlined function. */
#define REPORT_INLINED " (inlined)"

/* The DSOs that share their name with another one. */
struct labels {
	bool *shared; /* by number of the DSO */
	size_t n;
};

/* Returns 0 or -ENOMEM. */
int labels__find(struct labels *ret, const struct report_view *view);
bool labels__is_shared(const struct labels *labels, uint32_t dso);
void labels__free(struct labels *labels);

double report_view__percent(uint64_t part, uint64_t whole);
double report_view__percent_of_latency(double part, double whole);
/* Returns the identity of a place's DSO, or NULL if it is in none. */
const struct perfstamp_identity *report_view__identity(
	const struct report_view *view, uint32_t place);
/* Writes up to @digits of its build-id, or its cookie; "-" if it has neither. */
void report_view__write_build_id(
	FILE *out, const struct report_view *view, uint32_t place, size_t digits);
/*
 * Writes its name. If others have the same name, the start of its identity and the number of its
 * content follow.
 */
void report_view__write_dso(
	FILE *out, const struct report_view *view, const struct labels *labels, uint32_t place);
/* Adds the keys of a place's DSO. */
void report_view__add_dso(
	struct json_object *object, const struct report_view *view, uint32_t place);
/* Writes the text for a place without a name: its address, or one text for the whole DSO. */
void report_view__nameless(FILE *out, const struct report_view *view, uint32_t place, bool wide);
/* Whether @key distinguishes rows. */
bool report_view__has_key(const struct report_view *view, enum report_key key);
/* Returns the title of a column, or whether the column is right-aligned. */
const char *report_view__title(const struct report_view *view, enum report_key column);
bool report_view__is_number(enum report_key column);
/* Stores the columns of the table, up to REPORT_COLUMNS. Returns their number. */
size_t report_view__columns(const struct report_view *view, enum report_key *ret);
/* Writes the text of @row in @column. */
void report_view__cell(FILE *out, const struct report_view *view, const struct labels *labels,
	const struct report_row *row, enum report_key column);
/*
 * Writes @column of a row for each event of @event's group, side by side with a blank between them.
 * The widths are as printf's; for shares, they do not include the percent sign.
 */
void report_view__numbers(FILE *out, const struct report_view *view, uint32_t event,
	const struct report_numbers *numbers, enum report_key column, int first_width, int width);
/* Returns the number of events in the group of @event, a leader; 1 if it is in none. */
uint32_t report_view__n_members(const struct report_view *view, uint32_t event);
/* Whether @event has a column among those of its group: as in perf, if it has samples. */
bool report_view__has_column(const struct report_view *view, uint32_t event);
/* Writes the lines above the table of an event or of a group. */
void report_view__heading(FILE *out, const struct report_view *view, uint32_t event);
/* Writes the rows of an event, each below the row of which it is a part. Returns 0 or -ENOMEM. */
int report_view__hierarchy(
	FILE *out, const struct report_view *view, const struct labels *labels, uint32_t event);
/* Whether the row is not below the limit. */
bool report_view__is_shown(const struct report_view *view, const struct report_row *row);

/*
 * For each runtime whose processes have samples in unnamed code, writes the option that makes the
 * runtime write names.
 */
void report_view__runtimes(FILE *out, const struct report_view *view, const struct lacks *lacks);

#endif
