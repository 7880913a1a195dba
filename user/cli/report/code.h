/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names of code made at run time, out of what a recording has of perf map files and
 * jitdumps: puts their pieces together, has them parsed, and fills the model's names. A part
 * of report.
 */
#ifndef PERFSTAMP_CLI_REPORT_CODE_H
#define PERFSTAMP_CLI_REPORT_CODE_H

#include "user/event/event.h"
#include "user/model/profile/code_names.h"

struct report_code;

/* 0 or -ENOMEM. */
int report_code__new(struct report_code **ret);
void report_code__free(struct report_code *code);
/* Each event of a first reading, in time order. 0 or -ENOMEM. */
int report_code__take(struct report_code *code, const struct event *event);
/*
 * When all were taken. *@ret is NULL where there are no names, and valid as long as @code. 0
 * or -ENOMEM.
 */
int report_code__names(struct report_code *code, const struct code_names **ret);
/* Lines and records that could not be understood, and gaps. */
uint64_t report_code__n_bad(const struct report_code *code);

#endif
