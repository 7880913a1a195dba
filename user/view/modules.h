/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernel modules as text and JSON: the fields of one record, and a line for each life of a module,
 * from its load to its unload. Reads the model.
 */
#ifndef PERFSTAMP_VIEW_MODULES_H
#define PERFSTAMP_VIEW_MODULES_H

#include <stdbool.h>
#include <stdio.h>

#include "user/event/event.h"
#include "user/model/model.h"
#include "user/view/format/fields.h"

/* The fields of a module record, as part of dump__event. */
void modules_view__dump(struct fields *fields, const struct event *event);

/* Writes every life, in the order of loading. Errors of writing stick to @out. */
void modules_view__list(FILE *out, const struct model *model, bool json);

/* Returns the state of the module: "loaded", "unloaded", "init-failed". */
const char *modules_view__state(const struct module_life *life);

#endif
