/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads names of run-time code from the perf map files and jitdumps in a recording: joins their
 * pieces, parses them, and fills the names of the model. Prints nothing except for
 * recorded_code__warn().
 */
#ifndef PERFSTAMP_CLI_PROFILE_RECORDED_CODE_H
#define PERFSTAMP_CLI_PROFILE_RECORDED_CODE_H

#include "user/event/event.h"
#include "user/model/profile/code_names.h"

struct recorded_code;

/* Returns 0 or -ENOMEM. */
int recorded_code__new(struct recorded_code **ret);
void recorded_code__free(struct recorded_code *code);
/* Call it for each event of a first reading, in time order. Returns 0 or -ENOMEM. */
int recorded_code__take(struct recorded_code *code, const struct event *event);
/*
 * Call it after all events. *@ret is NULL if there are no names. It is valid as long as @code.
 * Returns 0 or -ENOMEM.
 */
int recorded_code__names(struct recorded_code *code, const struct code_names **ret);
/* Prints to stderr the number of malformed lines and records, and of gaps, if there are any. */
void recorded_code__warn(const struct recorded_code *code);

#endif
