/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options shared by report, diff, export and timeline: those about symbols, and parsers for values
 * of options that each command declares itself.
 */
#ifndef PERFSTAMP_CLI_PROFILE_OPTIONS_H
#define PERFSTAMP_CLI_PROFILE_OPTIONS_H

#include <argp.h>
#include <stdbool.h>

#include "user/cli/profile/name_list.h"
#include "user/cli/profile/numbers.h"
#include "user/cli/profile/times.h"

/* --buildid-dir, --no-debuginfod and --no-demangle. */
struct symbol_conf {
	const char *store; /* the build-id cache; NULL: perf's default */
	bool no_debuginfod;
	bool no_demangle;
};
/* A parser for them. Its input is a struct symbol_conf. */
extern const struct argp SYMBOL_OPTIONS;

/* Parse values of options. If @arg is invalid, they exit through argp_error(). */
void option__names(struct name_list *ret, const char *arg, struct argp_state *state);
/* For the option --@name. */
void option__numbers(
	struct number_list *ret, const char *name, const char *arg, struct argp_state *state);
/* For --time. */
void option__times(struct time_spans *ret, const char *arg, struct argp_state *state);
/* For --percent-limit. */
void option__percent_limit(double *ret, const char *arg, struct argp_state *state);

#endif
