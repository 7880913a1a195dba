/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of diff. */
#ifndef PERFSTAMP_CLI_DIFF_OPTIONS_H
#define PERFSTAMP_CLI_DIFF_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "user/cli/diff/selection.h"
#include "user/cli/profile/options.h"
#include "user/model/compare/differences.h"

struct diff_command {
	const char *files[SIDES]; /* .files[AFTER] NULL: one file has both sides */
	const char *since_replaced;
	uint64_t window_ns; /* the time before a replacement to compare */
	struct selection sides[SIDES];
	bool selected[SIDES]; /* by side: the user selected its samples */
	const char *path;     /* a shell pattern; or NULL */
	const char *event;    /* NULL: the first event with samples */
	enum per_unit per;
	const char *per_event;
	double percent_limit;
	struct symbol_conf symbol_conf;
	bool chains; /* compare functions by their callers, too */
	bool source;
	bool folded;
	bool json;
	bool no_inline, no_pager, force;
};

/* Exits if the options are invalid. */
void diff_options__parse(struct diff_command *ret, int argc, char **argv);
void diff_options__free(struct diff_command *command);

#endif
