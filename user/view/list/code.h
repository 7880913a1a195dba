/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lists the perf map files and jitdumps in a recording: one line for each file, identified by its
 * content. Reads the events of one pass; does not parse the names in the files.
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
/* Passes on the next event in time order, which @model has applied. Returns 0 or -ENOMEM. */
int code_list__take(struct code_list *list, const struct model *model, const struct event *event);
/*
 * Writes every file, in the order in which they appeared. With @verbose, text has all columns and a
 * heading. Errors of writing stick to @out.
 */
void code_list__write(const struct code_list *list, FILE *out, bool verbose, bool json);

#endif
