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

/* What one side is. */
struct diff_side {
	const char *file; /* the first of .n_files */
	size_t n_files;
	const char *path;                  /* the build of its processes; NULL: any */
	const char *selection;             /* the user's, as it was given; NULL: none */
	char build_id[NAME_IDENTITY_SIZE]; /* as by name__identity(); "": any */
	uint64_t first_ns, last_ns;        /* of its samples, by the recording's clock */
	bool has_wall;
	int64_t wall_ns; /* to be added to these: ns since the epoch */
	size_t n_processes;
};

struct diff_view {
	const struct comparison *comparison;
	const struct differences *kinds[UNIT_KINDS]; /* NULL: not asked for */
	struct diff_side sides[SIDES];
	enum per_unit per;
	const char *event;     /* the one that is compared */
	const char *per_event; /* the one that counts the work; or NULL */
	double percent_limit;  /* unmarked rows below this on both sides are hidden */
};

/* Errors of writing stick to @out. Each returns 0 or -ENOMEM. */
int diff_view__text(FILE *out, const struct diff_view *view);
int diff_view__json(FILE *out, const struct diff_view *view);
/*
 * "main;work 12 34": a line for each call chain, with its samples before and after, as
 * FlameGraph's difffolded.pl -n writes it: the samples before are scaled to the same total
 * as after.
 */
int diff_view__folded(FILE *out, const struct diff_view *view);
/* The functions that are marked or above the limit, at most @max, as an array; or NULL. */
struct json_object *diff_view__functions(const struct diff_view *view, size_t max);
/* "new", "gone", "inlined", "outlined", "moved"; NULL: none of these. */
const char *diff_view__kind(enum difference_kind kind);
/* "process", "dso", "second", "event". */
const char *diff_view__per(enum per_unit per);

#endif
