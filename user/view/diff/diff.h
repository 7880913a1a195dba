/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A comparison as text, as JSON, or folded for difference flame graphs. Does not know any
 * file or recording.
 */
#ifndef PERFSTAMP_VIEW_DIFF_H
#define PERFSTAMP_VIEW_DIFF_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "perfstamp/record.h"
#include "user/model/compare/differences.h"
#include "user/view/format/names.h"

/* One side of the comparison. */
struct diff_side {
	const char *file; /* the first of .n_files files */
	size_t n_files;
	const char *path;                  /* the program whose processes are compared; NULL: any */
	const char *selection;             /* as the user gave it; NULL: none */
	char build_id[NAME_IDENTITY_SIZE]; /* in the form of name__identity(); "": any */
	uint64_t first_ns, last_ns;        /* times of its samples, by the recording's clock */
	bool has_wall;
	int64_t wall_ns; /* added to these, it gives ns since the epoch */
	size_t n_processes;
};

struct diff_view {
	const struct comparison *comparison;
	const struct differences *kinds[UNIT_KINDS]; /* NULL: not requested */
	struct diff_side sides[SIDES];
	enum per_unit per;
	const char *event;     /* the compared event */
	const char *per_event; /* the event that counts the work; or NULL */
	double percent_limit;  /* unmarked rows below this on both sides are hidden */
};

/* Errors of writing stick to @out. Each returns 0 or -ENOMEM. */
int diff_view__text(FILE *out, const struct diff_view *view);
int diff_view__json(FILE *out, const struct diff_view *view);
/*
 * Writes "main;work 12 34": one line for each call chain, with its samples before and after, in the
 * format of FlameGraph's difffolded.pl -n. The samples before are scaled so that both sides have
 * the same total.
 */
int diff_view__folded(FILE *out, const struct diff_view *view);
/* Returns an array of at most @max functions that are marked or above the limit; or NULL. */
struct json_object *diff_view__functions(const struct diff_view *view, size_t max);
/* "new", "gone", "inlined", "outlined", "moved"; NULL: none of these. */
const char *diff_view__kind(enum difference_kind kind);
/* "process", "dso", "second", "event". */
const char *diff_view__per(enum per_unit per);

#endif
