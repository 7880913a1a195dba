/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes a recording over time as one page that needs only a browser: samples, what was mapped at
 * each path and what replaced it, the lives of kernel modules, containers and losses. Gets the same
 * events as the model, each after the model; does not know files.
 */
#ifndef PERFSTAMP_VIEW_TIMELINE_H
#define PERFSTAMP_VIEW_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "user/model/model.h"
#include "user/view/diff/diff.h"
#include "user/view/timeline/about.h"

struct timeline;

/* Returns 0 or -ENOMEM. */
int timeline__new(struct timeline **ret);
void timeline__free(struct timeline *timeline);
/* Applies @event, which @model has just applied. Returns 0 or -ENOMEM. */
int timeline__add(struct timeline *timeline, const struct model *model, const struct event *event);
/*
 * Counts the sample @event, which must have been added. @sum: the number of its sum in the samples
 * whose functions the page shows (about.h). Returns 0 or -ENOMEM.
 */
int timeline__count(struct timeline *timeline, const struct event *event, uint32_t sum);
/* Drops the counts of timeline__count(), before the samples are read again. */
void timeline__forget_counts(struct timeline *timeline);
/*
 * Makes the comparison of a replacement, for timeline_about's .comparisons. Returns NULL if memory
 * is exhausted.
 */
struct json_object *timeline_comparison__make(const struct diff_view *view);
/*
 * Writes the page, which has less than 2 MB. Items that do not fit are skipped, those with the
 * fewest samples first, and counted. Returns 0 or -ENOMEM; errors of writing stick to @out.
 */
int timeline__write(FILE *out, struct timeline *timeline, struct model *model,
	const struct timeline_about *about);

#endif
