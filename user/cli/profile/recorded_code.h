/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the names of code made at run time from the pieces of perf map files and jitdumps in a
 * recording: joins the pieces, has them parsed, and fills the model's names. Prints nothing.
 */
#ifndef PERFSTAMP_CLI_PROFILE_RECORDED_CODE_H
#define PERFSTAMP_CLI_PROFILE_RECORDED_CODE_H

#include "user/event/event.h"
#include "user/model/profile/code_names.h"

struct recorded_code;

/* Returns 0 or -ENOMEM. */
int recorded_code__new(struct recorded_code **ret);
void recorded_code__free(struct recorded_code *code);
/* Each event of a first reading, in time order. Returns 0 or -ENOMEM. */
int recorded_code__take(struct recorded_code *code, const struct event *event);
/*
 * When all were taken. *@ret is NULL if there are no names, and valid as long as @code.
 * Returns 0 or -ENOMEM.
 */
int recorded_code__names(struct recorded_code *code, const struct code_names **ret);
/* Prints to stderr how many lines and records could not be understood, and gaps; if any. */
void recorded_code__warn(const struct recorded_code *code);

#endif
