/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lists the perf map files and jitdumps in a recording: a line for each file, identified by
 * its content. Follows the events of one reading; does not parse names.
 */
#ifndef PERFSTAMP_VIEW_LIST_CODE_H
#define PERFSTAMP_VIEW_LIST_CODE_H

#include <stdbool.h>
#include <stdio.h>

#include "user/event/event.h"
#include "user/model/model.h"

struct code_list;

/* Returns 0 or -ENOMEM. */
int code_list__new(struct code_list **ret);
void code_list__free(struct code_list *list);
/* The next event in time order, when @model has taken it. Returns 0 or -ENOMEM. */
int code_list__take(struct code_list *list, const struct model *model, const struct event *event);
/*
 * Every file, in order of appearance; text has all columns, with a heading, where it is
 * @verbose. Errors of writing stick to @out.
 */
void code_list__write(const struct code_list *list, FILE *out, bool verbose, bool json);

#endif
