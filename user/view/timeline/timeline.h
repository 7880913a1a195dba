/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording over time as one page that needs nothing but a browser: samples, what was
 * mapped at each path and what replaced it, the lives of kernel modules, containers and
 * losses. Gets the same events as the model, each after the model; does not know files.
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
 * Counts the sample @event, which has been added; @sum is its sum in the samples whose
 * functions the page shows (about.h). Returns 0 or -ENOMEM.
 */
int timeline__count(struct timeline *timeline, const struct event *event, uint32_t sum);
/* Forgets what timeline__count() has counted: samples are read once more. */
void timeline__forget_counts(struct timeline *timeline);
/* The comparison of a replacement, for timeline_about's .comparisons; NULL without memory. */
struct json_object *timeline_comparison__make(const struct diff_view *view);
/*
 * Writes the page, of under 2 MB: what does not fit is skipped, the least sampled first,
 * and counted. Returns 0 or -ENOMEM; errors of writing stick to @out.
 */
int timeline__write(FILE *out, struct timeline *timeline, struct model *model,
	const struct timeline_about *about);

#endif
