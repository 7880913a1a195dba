// SPDX-License-Identifier: GPL-2.0-only
/* See report_options.h. The keys and the short options are perf report's. */
#include "user/cli/report/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "user/cli/report/foreign.h"

#define AROUND 3       /* lines of source */
#define AROUND_MAX 100 /* what is more is read in an editor */
#define NS_PER_S 1000000000ull

enum {
	KEY_PERCENT_LIMIT = 256,
	KEY_FOLDED,
	KEY_SOURCE,
	KEY_NO_DEMANGLE,
	KEY_INLINE,
	KEY_NO_INLINE,
	KEY_CHILDREN,
	KEY_NO_CHILDREN,
	KEY_TIME,
	KEY_BUILDID_DIR,
	KEY_NO_DEBUGINFOD,
	KEY_NO_PAGER,
	KEY_PERCENTAGE,
};

static const struct argp_option OPTIONS[] = {
	{"sort", 's', "KEY[,KEY...]", 0,
		"Group samples by these keys: comm, pid, tid, dso, sym, srcline, build_id, cpu, "
		"cgroup (default: comm,dso,sym)",
		0},
	{"percent-limit", KEY_PERCENT_LIMIT, "PERCENT", 0, "Hide rows below this percentage", 0},
	{"percentage", KEY_PERCENTAGE, "relative|absolute", 0,
		"With -c, -d or -S: percentages of the selected samples, or of all (default)", 0},
	{"show-nr-samples", 'n', NULL, 0, "Also show the number of samples", 0},
	{"children", KEY_CHILDREN, NULL, 0,
		"Include callees in a function's count (default if there are call chains)", 0},
	{"no-children", KEY_NO_CHILDREN, NULL, 0, "Count only samples in the function itself", 0},
	{"call-graph", 'g', "GRAPH", 0,
		"Show call graphs below the rows; GRAPH is caller or callee (which is first), or "
		"none, then optionally a comma and the percentage below which branches are hidden "
		"(default: 0.5), then a comma and the most branches at one place",
		0},
	{"comms", 'c', "NAME[,NAME...]", 0, "Show only samples of threads with these names", 0},
	{"dsos", 'd', "NAME[,NAME...]", 0, "Show only samples in these DSOs", 0},
	{"symbols", 'S', "NAME[,NAME...]", 0, "Show only samples in these functions", 0},
	{"time", KEY_TIME, "[START],[STOP]", 0,
		"Show only samples between these times, in seconds of the recording's clock", 0},
	{"source", KEY_SOURCE, "LINES", OPTION_ARG_OPTIONAL,
		"Show the source lines with samples, and LINES (default: 3) of context around each",
		0},
	{"folded", KEY_FOLDED, NULL, 0, "Write folded call chains, for FlameGraph", 0},
	{"no-demangle", KEY_NO_DEMANGLE, NULL, 0, "Do not demangle names of C++ and Rust", 0},
	{"inline", KEY_INLINE, NULL, 0,
		"Show inlined functions in call chains, from debug information (default)", 0},
	{"no-inline", KEY_NO_INLINE, NULL, 0, "Do not show inlined functions", 0},
	{"buildid-dir", KEY_BUILDID_DIR, "DIR", 0, "Build-id cache (default: perf's, ~/.debug)", 0},
	{"no-debuginfod", KEY_NO_DEBUGINFOD, NULL, 0,
		"Do not request files from the servers in DEBUGINFOD_URLS", 0},
	{"force", 'f', NULL, 0,
		"Use the file currently at the path for DSOs that have no identity and for sources "
		"that have no MD5",
		0},
	{"verbose", 'v', NULL, 0, "Show a row for each address in DSOs that have no symbols", 0},
	{"no-pager", KEY_NO_PAGER, NULL, 0, "Write directly to the terminal", 0},
	{0},
};

static const struct {
	const char *name;
	enum report_key key;
} KEYS[] = {
	{"comm", REPORT_COMM},
	{"pid", REPORT_PID},
	{"tid", REPORT_TID},
	{"dso", REPORT_DSO},
	{"sym", REPORT_SYM},
	{"symbol", REPORT_SYM},
	{"srcline", REPORT_SRCLINE},
	{"build_id", REPORT_BUILD_ID},
	{"cpu", REPORT_CPU},
	{"cgroup", REPORT_CGROUP},
};

static const struct {
	const char *word;
	enum report_order order;
} ORDERS[] = {
	{"caller", ORDER_CALLER},
	{"callee", ORDER_CALLEE},
	{"none", ORDER_NO_GRAPH},
};

static void add_key(struct report_options *options, const char *name, struct argp_state *state)
{
	for (size_t i = 0; i < sizeof(KEYS) / sizeof(KEYS[0]); i++) {
		if (strcmp(KEYS[i].name, name) != 0)
			continue;
		for (size_t k = 0; k < options->n_keys; k++)
			if (options->keys[k] == KEYS[i].key)
				return;
		options->keys[options->n_keys++] = KEYS[i].key;
		return;
	}
	argp_error(state, "--sort: no such key: `%s'", name);
}

static void parse_keys(struct report_options *options, const char *arg, struct argp_state *state)
{
	char *copy = strdup(arg), *rest = copy, *name;

	if (!copy)
		argp_failure(state, CLI_FAILED, 0, "out of memory");
	options->n_keys = 0;
	while (rest && (name = strsep(&rest, ",")))
		add_key(options, name, state);
	free(copy);
}

static void parse_names(struct name_list *list, const char *arg, struct argp_state *state)
{
	free(list->names);
	list->names = strdup(arg);
	if (!list->names) {
		argp_failure(state, CLI_FAILED, 0, "out of memory");
		return;
	}
	list->n = 1;
	for (char *at = list->names; *at; at++)
		if (*at == ',') {
			*at = '\0';
			list->n++;
		}
}

/* "12", "12.5", "12.000000005"; "" is 0. False for anything else. */
static bool parse_seconds(const char *text, size_t len, uint64_t *ret_ns)
{
	uint64_t seconds = 0, ns = 0, unit = NS_PER_S / 10;
	size_t i = 0;

	for (; i < len && text[i] >= '0' && text[i] <= '9'; i++) {
		if (seconds > UINT64_MAX / NS_PER_S / 100)
			return false;
		seconds = seconds * 10 + (text[i] - '0');
	}
	if (i < len && text[i] == '.')
		for (i++; i < len && text[i] >= '0' && text[i] <= '9'; i++, unit /= 10)
			ns += (text[i] - '0') * unit;
	*ret_ns = seconds * NS_PER_S + ns;
	return i == len;
}

static void parse_time(struct report_command *command, const char *arg, struct argp_state *state)
{
	const char *comma = strchr(arg, ',');

	if (!comma || !parse_seconds(arg, comma - arg, &command->from_ns) ||
		!parse_seconds(comma + 1, strlen(comma + 1), &command->to_ns) ||
		(comma[1] && command->to_ns < command->from_ns))
		argp_error(state,
			"--time requires START,STOP in seconds, one of which may be omitted: `%s'",
			arg);
}

static void parse_percent(struct report_command *command, const char *arg, struct argp_state *state)
{
	char *end;

	command->percent_limit = strtod(arg, &end);
	if (end == arg || *end || !(command->percent_limit >= 0) || command->percent_limit > 100)
		argp_error(state, "--percent-limit requires a number from 0 to 100: `%s'", arg);
}

static void parse_percentage(
	struct report_command *command, const char *arg, struct argp_state *state)
{
	command->report.relative = !strcmp(arg, "relative");
	if (!command->report.relative && strcmp(arg, "absolute") != 0)
		argp_error(state, "--percentage requires relative or absolute: `%s'", arg);
}

/* False for anything else than perf's words and numbers, as far as they are known here. */
static bool parse_graph_part(struct report_command *command, const char *part, unsigned int *n)
{
	char *end;
	double number = strtod(part, &end);

	for (size_t i = 0; i < sizeof(ORDERS) / sizeof(ORDERS[0]); i++)
		if (!strcmp(part, ORDERS[i].word)) {
			command->graph = ORDERS[i].order;
			return true;
		}
	if (!strcmp(part, "graph")) /* perf's other styles are not drawn here */
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
				"--call-graph requires caller, callee or none, optionally followed "
				"by a percentage and a number of branches: `%s'",
				arg);
	free(copy);
}

static void parse_source(struct report_command *command, const char *arg, struct argp_state *state)
{
	char *end = NULL;
	unsigned long n = AROUND;

	if (arg)
		n = strtoul(arg, &end, 10);
	if (arg && (end == arg || *end || *arg < '0' || *arg > '9' || n > AROUND_MAX))
		argp_error(state, "--source requires a number of lines from 0 to %d: `%s'",
			AROUND_MAX, arg);
	command->source = true;
	command->source_around = n;
}

static void check(const struct report_command *command, struct argp_state *state)
{
	if (command->folded && command->recording.json)
		argp_error(state, "--folded and --json cannot be combined");
	if (command->folded && command->source)
		argp_error(state, "--folded and --source cannot be combined");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct report_command *command = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &command->recording;
		break;
	case 's':
		parse_keys(&command->report, arg, state);
		break;
	case 'n':
		command->show_n = true;
		break;
	case 'g':
		parse_graph(command, arg, state);
		break;
	case 'c':
		parse_names(&command->comms, arg, state);
		break;
	case 'd':
		parse_names(&command->dsos, arg, state);
		break;
	case 'S':
		parse_names(&command->symbols, arg, state);
		break;
	case 'f':
		command->force = true;
		break;
	case 'v':
		command->verbose = true;
		break;
	case KEY_PERCENT_LIMIT:
		parse_percent(command, arg, state);
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
	case KEY_NO_DEMANGLE:
		command->no_demangle = true;
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
		parse_time(command, arg, state);
		break;
	case KEY_BUILDID_DIR:
		command->store = arg;
		break;
	case KEY_NO_DEBUGINFOD:
		command->no_debuginfod = true;
		break;
	case KEY_NO_PAGER:
		command->no_pager = true;
		break;
	case ARGP_KEY_SUCCESS:
		check(command, state);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

void report_options__parse(struct report_command *ret, int argc, char **argv)
{
	const struct argp_child children[] = {CLI_RECORDING[0], {&REPORT_FOREIGN, 0, NULL, 0}, {0}};
	const struct argp argp = {
		.options = OPTIONS,
		.parser = parse,
		.args_doc = "[FILE]",
		.doc = "Show where time was spent, by thread name, DSO and function; each address "
		       "is resolved against the binary mapped at that time.",
		.children = children,
	};

	*ret = (struct report_command){
		.report = {.keys = {REPORT_COMM, REPORT_DSO, REPORT_SYM}, .n_keys = 3},
		.graph_percent = -1,
	};
	cli__parse(&argp, argc, argv, ret);
}

void report_options__free(struct report_command *command)
{
	free(command->comms.names);
	free(command->dsos.names);
	free(command->symbols.names);
}

bool name_list__has(const struct name_list *list, const char *name)
{
	const char *at = list->names;

	for (size_t i = 0; i < list->n; i++, at += strlen(at) + 1)
		if (!strcmp(at, name))
			return true;
	return false;
}
