/* SPDX-License-Identifier: GPL-2.0-only */
/* The options of report, from its command line and perf's configuration. */
#ifndef PERFSTAMP_CLI_REPORT_COMMAND_H
#define PERFSTAMP_CLI_REPORT_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "user/cli/cli.h"
#include "user/cli/profile/options.h"
#include "user/cli/report/columns.h"
#include "user/cli/report/event_switch.h"
#include "user/model/profile/report.h"
#include "user/view/report/report.h"

enum report_children { CHILDREN_BY_CHAINS, CHILDREN_YES, CHILDREN_NO };

enum report_order { ORDER_BY_ROWS, ORDER_CALLER, ORDER_CALLEE, ORDER_NO_GRAPH };

/* The events that share a table: by default those that were recorded as a group. */
enum report_groups { GROUPS_RECORDED, GROUPS_ALWAYS, GROUPS_NEVER };

/* Data of a recording that perf report shows instead of a table. */
enum report_about {
	ABOUT_NOTHING = 0,
	ABOUT_HEADER = 1 << 0,
	ABOUT_STATS = 1 << 1,
	ABOUT_TASKS = 1 << 2,
	ABOUT_MMAPS = 1 << 3,
};

/* Whether the report is interactive. As in perf, the default on a terminal. */
enum report_screen { SCREEN_ON_TERMINAL, SCREEN_ALWAYS, SCREEN_NEVER };

struct report_command {
	struct cli_recording recording;
	struct report_options report;
	struct report_columns columns;
	struct name_list comms, dsos, symbols;
	struct number_list pids, tids, cpus, parallelisms;
	bool latency;         /* the column comes first, and rows are sorted by it */
	const char *annotate; /* name of a function to annotate; NULL: show the table */
	bool intel;           /* use Intel syntax for its instructions */
	enum annotation_percent annotation_percent;
	const char *symbol_filter; /* part of a function's name */
	const char *parent;        /* a regular expression */
	const char *ignore_callees;
	bool only_parents;
	bool hide_unresolved;
	unsigned int about; /* bits ABOUT_* */
	bool header;        /* show the header above the table */
	bool header_all;
	bool quiet;
	enum report_children children;
	enum report_order graph;
	enum report_order config_order; /* from perfconfig, unless an option sets it */
	double graph_percent;
	uint32_t graph_branches; /* 0: all */
	enum report_groups groups;
	struct time_spans times;
	struct event_switch between;
	uint64_t quantum_ns;
	uint32_t max_stack;
	double percent_limit;
	struct symbol_conf symbol_conf;
	const char *symfs, *vmlinux, *kallsyms;
	const char *separator;
	int widths[REPORT_COLUMNS];
	size_t n_widths;
	bool hierarchy;
	bool ns;
	bool show_period;
	bool source;
	uint32_t source_around; /* lines to show before and behind each line */
	bool folded;
	bool show_n;
	bool no_inline;
	bool no_pager;
	enum report_screen screen;
	bool force;
	bool verbose; /* show addresses of rows */
};

#endif
