/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What report is asked for on its command line. A part of report.
 */
#ifndef PERFSTAMP_CLI_REPORT_OPTIONS_H
#define PERFSTAMP_CLI_REPORT_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "user/cli/cli.h"
#include "user/model/profile/report.h"

enum report_children { CHILDREN_BY_CHAINS, CHILDREN_YES, CHILDREN_NO };

enum report_order { ORDER_BY_ROWS, ORDER_CALLER, ORDER_CALLEE, ORDER_NO_GRAPH };

/* Names that were given with commas between them. */
struct name_list {
	char *names; /* each ended by a NUL */
	size_t n;
};

struct report_command {
	struct cli_recording recording;
	struct report_options report;
	struct name_list comms, dsos, symbols;
	enum report_children children;
	enum report_order graph;
	double graph_percent;
	uint32_t graph_branches; /* 0: all */
	uint64_t from_ns, to_ns;
	double percent_limit;
	const char *store;
	bool source;
	uint32_t source_around; /* lines before and behind each */
	bool folded;
	bool show_n;
	bool no_demangle;
	bool no_inline;
	bool no_debuginfod;
	bool no_pager;
	bool force;
	bool verbose; /* rows of addresses */
};

/* Exits where they are wrong. */
void report_options__parse(struct report_command *ret, int argc, char **argv);
void report_options__free(struct report_command *command);
bool name_list__has(const struct name_list *list, const char *name);

#endif
