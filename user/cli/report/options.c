// SPDX-License-Identifier: GPL-2.0-only
/* See options.h. The keys and the short options are perf report's. */
#include "user/cli/report/options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "user/cli/option_value.h"
#include "user/cli/report/config.h"
#include "user/cli/report/foreign.h"

#define AROUND 3                      /* default of lines around a source line */
#define PARENT "^sys_|^do_page_fault" /* default of --parent, as in perf */
#define AROUND_MAX 100                /* limit of lines around; use an editor for more */
#define WIDTH_MAX 1000
#define QUANTUM_NS 100000000 /* default step of the key time, as in perf */

enum {
	KEY_PERCENT_LIMIT = 256,
	KEY_FOLDED,
	KEY_SOURCE,
	KEY_INLINE,
	KEY_NO_INLINE,
	KEY_CHILDREN,
	KEY_NO_CHILDREN,
	KEY_TIME,
	KEY_NO_PAGER,
	KEY_PERCENTAGE,
	KEY_PID,
	KEY_TID,
	KEY_SYMBOL_FILTER,
	KEY_IGNORE_CALLEES,
	KEY_MAX_STACK,
	KEY_SHOW_TOTAL_PERIOD,
	KEY_TIME_QUANTUM,
	KEY_NS,
	KEY_SYMFS,
	KEY_KALLSYMS,
	KEY_HEADER,
	KEY_HEADER_ONLY,
	KEY_STATS,
	KEY_TASKS,
	KEY_MMAPS,
	KEY_ANNOTATE,
	KEY_PERCENT_TYPE,
	KEY_TUI,
	KEY_STDIO,
	KEY_LATENCY,
	KEY_PARALLELISM,
	KEY_GROUP,
	KEY_NO_GROUP,
	KEY_GROUP_SORT_IDX,
	KEY_SWITCH_ON,
	KEY_SWITCH_OFF,
	KEY_SHOW_ON_OFF,
};

static const struct argp_option OPTIONS[] = {
	{"sort", 's', "KEY[,KEY...]", 0,
		"Group samples by these keys: comm, pid, tid, dso, sym, srcline, srcfile, "
		"build_id, "
		"cpu, cgroup, time, parent, parallelism (default: comm,dso,sym); +KEY adds to the "
		"default",
		0},
	{"fields", 'F', "KEY[,KEY...]", 0,
		"Show these columns: keys, and overhead, overhead_children, latency, "
		"latency_children, sample, period",
		0},
	{"percent-limit", KEY_PERCENT_LIMIT, "PERCENT", 0, "Hide rows below this percentage", 0},
	{"percentage", KEY_PERCENTAGE, "relative|absolute", 0,
		"With -c, -d, -S, --pid, --tid, --parallelism or --symbol-filter: percentages "
		"of the selected samples, or of all (default)",
		0},
	{"show-nr-samples", 'n', NULL, 0, "Also show the number of samples", 0},
	{"show-total-period", KEY_SHOW_TOTAL_PERIOD, NULL, 0, "Also show the sum of periods", 0},
	{"hierarchy", 'H', NULL, 0, "Show one level of rows for each key", 0},
	{"group", KEY_GROUP, NULL, 0,
		"Show the events of a group side by side (default), or all if there is no group",
		0},
	{"no-group", KEY_NO_GROUP, NULL, 0, "Show a table for each event", 0},
	{"group-sort-idx", KEY_GROUP_SORT_IDX, "N", 0,
		"Sort a group by its event N, from 0 on (default: 0)", 0},
	{"children", KEY_CHILDREN, NULL, 0,
		"Include callees in a function's count (default if there are call chains)", 0},
	{"no-children", KEY_NO_CHILDREN, NULL, 0, "Count only samples in the function itself", 0},
	{"call-graph", 'g', "GRAPH", 0,
		"Show call graphs below the rows; GRAPH is caller (callers first), callee or none, "
		"then optionally a comma and the percentage below which branches are hidden "
		"(default: 0.5), then a comma and the number of branches to show at one place",
		0},
	{"inverted", 'G', NULL, 0, "Same as -g caller", 0},
	{"latency", KEY_LATENCY, NULL, 0,
		"Sort by latency: if N threads run at a sample, it counts one Nth", 0},
	{"max-stack", KEY_MAX_STACK, "N", 0, "Use only N entries of each call chain", 0},
	{"ignore-callees", KEY_IGNORE_CALLEES, "REGEX", 0,
		"Count samples in callees of these functions as samples in these functions", 0},
	{"parent", 'p', "REGEX", 0, "Add the key parent: the outermost caller that matches REGEX",
		0},
	{"exclude-other", 'x', NULL, 0, "Show only samples with a caller that matches --parent", 0},
	{"comms", 'c', "NAME[,NAME...]", 0, "Show only samples of threads with these names", 0},
	{"pid", KEY_PID, "PID[,PID...]", 0, "Show only samples of these processes", 0},
	{"tid", KEY_TID, "TID[,TID...]", 0, "Show only samples of these threads", 0},
	{"cpu", 'C', "CPU[,CPU...]", 0, "Show only samples on these CPUs, such as 0,2-3", 0},
	{"parallelism", KEY_PARALLELISM, "N[,N...]", 0,
		"Show only samples at which this number of threads run, such as 1,4-7", 0},
	{"dsos", 'd', "NAME[,NAME...]", 0, "Show only samples in these DSOs", 0},
	{"symbols", 'S', "NAME[,NAME...]", 0, "Show only samples in these functions", 0},
	{"symbol-filter", KEY_SYMBOL_FILTER, "TEXT", 0,
		"Show only samples in functions with TEXT in their names", 0},
	{"hide-unresolved", 'U', NULL, 0, "Show only samples in functions with a name", 0},
	{"time", KEY_TIME, "[START],[STOP]", 0,
		"Show only samples between these times, in seconds of the recording's clock; or "
		"A%-B%, a part of the time of all samples",
		0},
	{"switch-on", KEY_SWITCH_ON, "EVENT", 0, "Show only samples after a sample of EVENT", 0},
	{"switch-off", KEY_SWITCH_OFF, "EVENT", 0,
		"Show no samples after a sample of EVENT, until one of --switch-on", 0},
	{"show-on-off-events", KEY_SHOW_ON_OFF, NULL, 0,
		"Show also the samples of these two events that switch", 0},
	{"time-quantum", KEY_TIME_QUANTUM, "TIME", 0, "Steps of the key time (default: 100ms)", 0},
	{"ns", KEY_NS, NULL, 0, "Show times in nanoseconds", 0},
	{"source", KEY_SOURCE, "LINES", OPTION_ARG_OPTIONAL,
		"Show the source lines with samples, and LINES (default: 3) of context around each",
		0},
	{"stdio", KEY_STDIO, NULL, 0, "Write text, also to a terminal", 0},
	{"tui", KEY_TUI, NULL, 0,
		"Browse rows, call graphs and instructions: the default on a terminal", 0},
	{"annotate", KEY_ANNOTATE, "SYMBOL", 0,
		"Show the instructions and source lines of this function with their samples", 0},
	{"disassembler-style", 'M', "att|intel", 0, "Syntax of instructions on x86", 0},
	{"percent-type", KEY_PERCENT_TYPE, "TYPE", 0,
		"Percentages of --annotate: local-period (default), global-period, local-hits or "
		"global-hits",
		0},
	{"folded", KEY_FOLDED, NULL, 0, "Write folded call chains, for FlameGraph", 0},
	{"field-separator", 't', "TEXT", 0, "Put TEXT between columns, and do not align them", 0},
	{"column-widths", 'w', "N[,N...]", 0, "Widths of the first columns; 0 is as needed", 0},
	{"header", KEY_HEADER, NULL, 0, "Also show the header of the recording", 0},
	{"header-only", KEY_HEADER_ONLY, NULL, 0, "Show only the header", 0},
	{"show-info", 'I', NULL, 0, "Show everything in the header", 0},
	{"stats", KEY_STATS, NULL, 0, "Show only the number of records of each type", 0},
	{"tasks", KEY_TASKS, NULL, 0, "Show only processes and threads", 0},
	{"mmaps", KEY_MMAPS, NULL, 0, "Show only processes, threads and their mappings", 0},
	{"inline", KEY_INLINE, NULL, 0,
		"Show inlined functions in call chains, from debug information (default)", 0},
	{"no-inline", KEY_NO_INLINE, NULL, 0, "Do not show inlined functions", 0},
	{"symfs", KEY_SYMFS, "DIR", 0, "Look for files below DIR instead of /", 0},
	{"vmlinux", 'k', "FILE", 0, "Use this vmlinux if it is the recorded kernel's", 0},
	{"kallsyms", KEY_KALLSYMS, "FILE", 0, "Use this kallsyms file for the kernel", 0},
	{"force", 'f', NULL, 0,
		"Use the file currently at the path for DSOs that have no identity and for sources "
		"that have no MD5",
		0},
	{"quiet", 'q', NULL, 0, "Show rows only: no warnings, no comments", 0},
	{"verbose", 'v', NULL, 0, "Show a row for each address in DSOs that have no symbols", 0},
	{"no-pager", KEY_NO_PAGER, NULL, 0, "Write directly to the terminal", 0},
	{0},
};

static const struct {
	const char *word;
	enum report_order order;
} ORDERS[] = {
	{"caller", ORDER_CALLER},
	{"callee", ORDER_CALLEE},
	{"none", ORDER_NO_GRAPH},
};

/* perf's words for properties that all call graphs have here. */
static const char *const AS_IT_IS[] = {"graph", "function", "percent"};

static void parse_separator(
	struct report_command *command, const char *arg, struct argp_state *state)
{
	if (!*arg || !strcmp(arg, "."))
		argp_error(state, "--field-separator may not be empty or `.', which replaces it in "
				  "values");
	command->separator = strcmp(arg, "\\t") != 0 ? arg : "\t";
}

static void parse_widths(struct report_command *command, const char *arg, struct argp_state *state)
{
	char *end;

	command->n_widths = 0;
	for (const char *at = arg;; at = end + 1) {
		unsigned long width = strtoul(at, &end, 10);

		if (end == at || *at < '0' || *at > '9' || width > WIDTH_MAX ||
			(*end && *end != ',') || command->n_widths == REPORT_COLUMNS)
			argp_error(state,
				"--column-widths requires numbers from 0 to %d with commas between "
				"them: `%s'",
				WIDTH_MAX, arg);
		command->widths[command->n_widths++] = (int)width;
		if (!*end)
			return;
	}
}

/* Parses a number that is at least 1. */
static uint32_t parse_count(const char *option, const char *arg, struct argp_state *state)
{
	uint64_t n;

	if (option_value__number(arg, 1, UINT32_MAX, &n))
		argp_error(state, "--%s requires a number from 1 on: `%s'", option, arg);
	return n;
}

static void parse_percentage(
	struct report_command *command, const char *arg, struct argp_state *state)
{
	command->report.relative = !strcmp(arg, "relative");
	if (!command->report.relative && strcmp(arg, "absolute") != 0)
		argp_error(state, "--percentage requires relative or absolute: `%s'", arg);
}

static void parse_percent_type(
	struct report_command *command, const char *arg, struct argp_state *state)
{
	static const char *const TYPES[] = {
		[ANNOTATION_LOCAL_PERIOD] = "local-period",
		[ANNOTATION_GLOBAL_PERIOD] = "global-period",
		[ANNOTATION_LOCAL_HITS] = "local-hits",
		[ANNOTATION_GLOBAL_HITS] = "global-hits",
	};

	for (size_t i = 0; i < sizeof(TYPES) / sizeof(TYPES[0]); i++)
		if (!strcmp(arg, TYPES[i])) {
			command->annotation_percent = i;
			return;
		}
	argp_error(state,
		"--percent-type requires local-period, global-period, local-hits or global-hits: "
		"`%s'",
		arg);
}

/* Parses one word or number of perf's --call-graph. Returns false if it is not supported. */
static bool parse_graph_part(struct report_command *command, const char *part, unsigned int *n)
{
	char *end;
	double number = strtod(part, &end);

	for (size_t i = 0; i < sizeof(ORDERS) / sizeof(ORDERS[0]); i++)
		if (!strcmp(part, ORDERS[i].word)) {
			command->graph = ORDERS[i].order;
			return true;
		}
	for (size_t i = 0; i < sizeof(AS_IT_IS) / sizeof(AS_IT_IS[0]); i++)
		if (!strcmp(part, AS_IT_IS[i]))
			return true;
	if (end == part || *end || !(number >= 0))
		return false;
	if (++*n == 1) {
		command->graph_percent = number;
		return number <= 100;
	}
	command->graph_branches = number <= UINT32_MAX ? (uint32_t)number : 0;
	return *n == 2 && command->graph_branches == number;
}

static void parse_graph(struct report_command *command, const char *arg, struct argp_state *state)
{
	char *copy = strdup(arg), *rest = copy, *part;
	unsigned int n = 0;

	if (!copy)
		argp_failure(state, CLI_FAILED, 0, "out of memory");
	while ((part = strsep(&rest, ",")))
		if (!parse_graph_part(command, part, &n))
			argp_error(state,
				"--call-graph requires caller, callee or none, optionally with a "
				"percentage and a number of branches, in any order; of perf's "
				"other words, graph, function and percent: `%s'",
				arg);
	free(copy);
}

static void parse_source(struct report_command *command, const char *arg, struct argp_state *state)
{
	uint64_t n = AROUND;

	if (arg && option_value__number(arg, 0, AROUND_MAX, &n))
		argp_error(state, "--source requires a number of lines from 0 to %d: `%s'",
			AROUND_MAX, arg);
	command->source = true;
	command->source_around = n;
}

static void check(const struct report_command *command, struct argp_state *state)
{
	if (command->folded && (command->recording.json || command->source))
		argp_error(state, "--folded cannot be combined with --json or --source");
	if ((command->about || command->header) &&
		(command->folded || command->recording.json || command->annotate))
		argp_error(state, "--header, --header-only, --show-info, --stats, --tasks and "
				  "--mmaps cannot be combined with --folded, --json or --annotate");
	if (command->annotate && (command->folded || command->source || command->hierarchy))
		argp_error(state,
			"--annotate cannot be combined with --folded, --source or --hierarchy");
	if (command->annotation_percent && !command->annotate)
		argp_error(state, "--percent-type is for --annotate");
	if (command->hierarchy && (command->folded || command->recording.json))
		argp_error(state, "--hierarchy is text, without --folded and --json");
	if (command->hierarchy && command->columns.n_fields)
		argp_error(state, "--hierarchy and --fields cannot be combined; choose the levels "
				  "with --sort");
}

/* Parses options about the events of a recording. */
static error_t parse_events(
	struct report_command *command, int key, char *arg, struct argp_state *state)
{
	uint64_t n;

	switch (key) {
	case KEY_GROUP:
		command->groups = GROUPS_ALWAYS;
		break;
	case KEY_NO_GROUP:
		command->groups = GROUPS_NEVER;
		break;
	case KEY_GROUP_SORT_IDX:
		if (option_value__number(arg, 0, UINT32_MAX, &n))
			argp_error(
				state, "--group-sort-idx requires a number from 0 on: `%s'", arg);
		command->report.group_sort = n;
		break;
	case KEY_SWITCH_ON:
		command->between.on = arg;
		break;
	case KEY_SWITCH_OFF:
		command->between.off = arg;
		break;
	case KEY_SHOW_ON_OFF:
		command->between.show = true;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* Parses options without a letter. */
static error_t parse_long(
	struct report_command *command, int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case KEY_PERCENT_LIMIT:
		option__percent_limit(&command->percent_limit, arg, state);
		break;
	case KEY_PERCENTAGE:
		parse_percentage(command, arg, state);
		break;
	case KEY_FOLDED:
		command->folded = true;
		break;
	case KEY_SOURCE:
		parse_source(command, arg, state);
		break;
	case KEY_INLINE:
		command->no_inline = false;
		break;
	case KEY_NO_INLINE:
		command->no_inline = true;
		break;
	case KEY_CHILDREN:
		command->children = CHILDREN_YES;
		break;
	case KEY_NO_CHILDREN:
		command->children = CHILDREN_NO;
		break;
	case KEY_TIME:
		option__times(&command->times, arg, state);
		break;
	case KEY_NO_PAGER:
		command->no_pager = true;
		break;
	case KEY_ANNOTATE:
		command->annotate = arg;
		break;
	case KEY_TUI:
		command->screen = SCREEN_ALWAYS;
		break;
	case KEY_STDIO:
		command->screen = SCREEN_NEVER;
		break;
	case KEY_PERCENT_TYPE:
		parse_percent_type(command, arg, state);
		break;
	case KEY_PID:
		option__numbers(&command->pids, "pid", arg, state);
		break;
	case KEY_TID:
		option__numbers(&command->tids, "tid", arg, state);
		break;
	case KEY_SYMBOL_FILTER:
		command->symbol_filter = arg;
		break;
	case KEY_LATENCY:
		command->latency = true;
		break;
	case KEY_PARALLELISM:
		option__numbers(&command->parallelisms, "parallelism", arg, state);
		break;
	case KEY_IGNORE_CALLEES:
		command->ignore_callees = arg;
		break;
	case KEY_MAX_STACK:
		command->max_stack = parse_count("max-stack", arg, state);
		break;
	case KEY_SHOW_TOTAL_PERIOD:
		command->show_period = true;
		break;
	case KEY_TIME_QUANTUM:
		if (!time_quantum__parse(&command->quantum_ns, arg))
			argp_error(state,
				"--time-quantum requires a number and ns, us, ms or s: `%s'", arg);
		break;
	case KEY_NS:
		command->ns = true;
		break;
	case KEY_SYMFS:
		command->symfs = arg;
		break;
	case KEY_KALLSYMS:
		command->kallsyms = arg;
		break;
	case KEY_HEADER:
		command->header = true;
		break;
	case KEY_HEADER_ONLY:
		command->about |= ABOUT_HEADER;
		break;
	case KEY_STATS:
		command->about |= ABOUT_STATS;
		break;
	case KEY_TASKS:
		command->about |= ABOUT_TASKS;
		break;
	case KEY_MMAPS:
		command->about |= ABOUT_MMAPS;
		break;
	default:
		return parse_events(command, key, arg, state);
	}
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct report_command *command = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &command->recording;
		state->child_inputs[1] = &command->symbol_conf;
		break;
	case ARGP_KEY_SUCCESS:
		check(command, state);
		break;
	case 's':
		report_columns__sort(&command->columns, arg, state);
		break;
	case 'n':
		command->show_n = true;
		break;
	case 'g':
		parse_graph(command, arg, state);
		break;
	case 'c':
		option__names(&command->comms, arg, state);
		break;
	case 'd':
		option__names(&command->dsos, arg, state);
		break;
	case 'S':
		option__names(&command->symbols, arg, state);
		break;
	case 'f':
		command->force = true;
		break;
	case 'v':
		command->verbose = true;
		break;
	case 'F':
		report_columns__fields(&command->columns, arg, state);
		break;
	case 't':
		parse_separator(command, arg, state);
		break;
	case 'w':
		parse_widths(command, arg, state);
		break;
	case 'G':
		command->graph = ORDER_CALLER;
		break;
	case 'C':
		option__numbers(&command->cpus, "cpu", arg, state);
		break;
	case 'U':
		command->hide_unresolved = true;
		break;
	case 'p':
		command->parent = arg;
		break;
	case 'x':
		command->only_parents = true;
		break;
	case 'q':
		command->quiet = true;
		break;
	case 'M':
		command->intel = !strcmp(arg, "intel");
		if (!command->intel && strcmp(arg, "att") != 0)
			argp_error(state, "--disassembler-style requires att or intel: `%s'", arg);
		break;
	case 'k':
		command->vmlinux = arg;
		break;
	case 'H':
		command->hierarchy = true;
		break;
	case 'I':
		command->header = command->header_all = true;
		break;
	default:
		return parse_long(command, key, arg, state);
	}
	return 0;
}
/* Like perf: -g without a value, at the end or before another option, has its default. */
static char **with_default_graph(int argc, char **argv)
{
	char **ret = calloc(argc + 1, sizeof(*ret));

	if (!ret)
		exit(cli__fail("out of memory"));
	for (int i = 0; i < argc; i++) {
		bool graph = !strcmp(argv[i], "-g") || !strcmp(argv[i], "--call-graph");

		ret[i] = argv[i];
		if (i && graph && (i + 1 == argc || argv[i + 1][0] == '-'))
			ret[i] = (char *)"--call-graph=graph";
	}
	return ret;
}

static void take_config(struct report_command *command)
{
	struct error err;

	if (report_config__read(command, &err))
		exit(cli__fail("%s", err.text));
}

void report_options__parse(struct report_command *ret, int argc, char **argv)
{
	const struct argp_child children[] = {CLI_RECORDING[0], {&SYMBOL_OPTIONS, 0, NULL, 0},
		{&REPORT_FOREIGN, 0, NULL, 0}, {0}};
	const struct argp argp = {
		.options = OPTIONS,
		.parser = parse,
		.args_doc = "[FILE]",
		.doc = "Show where time was spent, by thread name, DSO and function; each address "
		       "is resolved against the binary mapped at that time.",
		.children = children,
	};

	*ret = (struct report_command){
		.columns = {.sort = {REPORT_COMM, REPORT_DSO, REPORT_SYM}, .n_sort = 3},
		.graph_percent = -1,
		.quantum_ns = QUANTUM_NS,
	};
	take_config(ret);
	argv = with_default_graph(argc, argv);
	cli__parse(&argp, argc, argv, ret);
	free(argv);
	/* Like perf: if one of these options is given, the column of parents is shown. */
	if (ret->parent || ret->only_parents)
		report_columns__add(&ret->columns, REPORT_PARENT);
	if (!ret->parent)
		ret->parent = PARENT;
	report_columns__apply(&ret->columns, &ret->report);
}

void report_options__free(struct report_command *command)
{
	free(command->comms.names);
	free(command->dsos.names);
	free(command->symbols.names);
	number_list__free(&command->pids);
	number_list__free(&command->tids);
	number_list__free(&command->cpus);
	number_list__free(&command->parallelisms);
}
