// SPDX-License-Identifier: GPL-2.0-only
/* See options.h. */
#include "user/cli/diff/options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/cli/cli.h"
#include "user/cli/option_value.h"

#define NS_PER_S 1000000000ull
#define WINDOW_NS (600 * NS_PER_S)

enum {
	KEY_BEFORE = 256,
	KEY_AFTER,
	KEY_PATH,
	KEY_SINCE_REPLACED,
	KEY_WINDOW,
	KEY_PER,
	KEY_SOURCE,
	KEY_FOLDED,
	KEY_PERCENT_LIMIT,
	KEY_NO_INLINE,
	KEY_NO_PAGER,
	KEY_JSON,
};

static const struct argp_option OPTIONS[] = {
	{"before", KEY_BEFORE, "KEY=VALUE[,...]", 0,
		"Samples before the change: build-id=HEX, time=START-STOP in seconds, "
		"container=GLOB, pod=GLOB, comm=GLOB, pid=PID",
		0},
	{"after", KEY_AFTER, "KEY=VALUE[,...]", 0,
		"Samples after the change, selected in the same way", 0},
	{"path", KEY_PATH, "GLOB", 0,
		"Compare builds at a path that matches GLOB; * also matches /. With two "
		"recordings, compare processes that map such a path",
		0},
	{"since-replaced", KEY_SINCE_REPLACED, "PATH", 0,
		"Compare the build that PATH has now with the one that it replaced, in the series "
		"of files of which FILE is the one being written",
		0},
	{"window", KEY_WINDOW, "TIME", 0,
		"With --since-replaced, compare with this much time before, as in 90s, 10m or 2h "
		"(default: 10m)",
		0},
	{"per", KEY_PER, "UNIT", 0,
		"Show shares of all samples of each side (process, the default), shares of each "
		"DSO's samples (dso), CPU seconds in a second of life (second), or microseconds "
		"for "
		"each occurrence of an event in the recording (its name)",
		0},
	{"event", 'e', "NAME", 0, "Compare samples of this event (default: the first)", 0},
	{"call-graph", 'g', NULL, 0,
		"For recordings with call chains, also compare functions with what they call, by "
		"caller",
		0},
	{"source", KEY_SOURCE, NULL, 0, "Also compare source lines", 0},
	{"folded", KEY_FOLDED, NULL, 0,
		"Write call chains with their samples before and after, for difference flame "
		"graphs",
		0},
	{"json", KEY_JSON, NULL, 0, "Write one JSON object per line", 0},
	{"percent-limit", KEY_PERCENT_LIMIT, "PERCENT", 0,
		"Hide rows that are not marked and below this percentage on both sides (default: "
		"0.5)",
		0},
	{"no-inline", KEY_NO_INLINE, NULL, 0,
		"Count inlined functions as the functions that they are inlined into", 0},
	{"force", 'f', NULL, 0, "Use the file currently at the path for DSOs that have no identity",
		0},
	{"no-pager", KEY_NO_PAGER, NULL, 0, "Write directly to the terminal", 0},
	{0},
};

/*
 * Parses "12" or "12.5". Sets *@ret_rest to the text behind it. Returns false if there is no
 * number.
 */
static bool parse_seconds(const char *text, uint64_t *ret_ns, const char **ret_rest)
{
	uint64_t unit = NS_PER_S / 10;
	char *end;
	unsigned long long seconds = strtoull(text, &end, 10);

	if (end == text || *text < '0' || *text > '9' || seconds > UINT64_MAX / NS_PER_S / 2)
		return false;
	*ret_ns = seconds * NS_PER_S;
	if (*end == '.')
		for (end++; *end >= '0' && *end <= '9'; end++, unit /= 10)
			*ret_ns += (uint64_t)(*end - '0') * unit;
	*ret_rest = end;
	return true;
}

/* Parses "START-STOP". One of the two may be missing. */
static bool parse_span(struct selection *selection, const char *text)
{
	const char *rest = text;

	if (*text != '-' && !parse_seconds(text, &selection->from_ns, &rest))
		return false;
	if (*rest != '-')
		return false;
	if (!rest[1])
		return rest != text;
	return parse_seconds(rest + 1, &selection->to_ns, &rest) && !*rest &&
	       selection->to_ns >= selection->from_ns;
}

static bool parse_pid(struct selection *selection, const char *text)
{
	uint64_t pid;

	if (option_value__number(text, 1, INT32_MAX, &pid))
		return false;
	selection->pid = pid;
	return true;
}

static bool parse_build_id(struct selection *selection, const char *text)
{
	selection->build_id_size = text__parse_hex(
		selection->build_id, sizeof(selection->build_id), text);
	return selection->build_id_size > 0;
}

static bool parse_pair(struct selection *selection, const char *key, const char *value)
{
	if (!*value)
		return false;
	if (!strcmp(key, "build-id"))
		return parse_build_id(selection, value);
	if (!strcmp(key, "time"))
		return parse_span(selection, value);
	if (!strcmp(key, "pid"))
		return parse_pid(selection, value);
	if (!strcmp(key, "container"))
		selection->container = value;
	else if (!strcmp(key, "pod"))
		selection->pod = value;
	else if (!strcmp(key, "comm"))
		selection->comm = value;
	else
		return false;
	return true;
}

static void parse_side(struct diff_command *command, enum comparison_side side, const char *arg,
	struct argp_state *state)
{
	const char *const name = side == BEFORE ? "before" : "after";
	struct selection *selection = &command->sides[side];
	char *rest, *pair, *value;

	free(selection->text);
	*selection = (struct selection){.given = arg, .text = strdup(arg)};
	command->selected[side] = true;
	rest = selection->text;
	if (!rest)
		argp_failure(state, CLI_FAILED, 0, "out of memory");
	while ((pair = strsep(&rest, ","))) {
		value = strchr(pair, '=');
		if (value)
			*value++ = '\0';
		if (!value || !parse_pair(selection, pair, value))
			argp_error(state,
				"--%s requires build-id=HEX, time=START-STOP, container=GLOB, "
				"pod=GLOB, comm=GLOB or pid=PID, separated by commas: `%s'",
				name, arg);
	}
}

static void parse_window(struct diff_command *command, const char *arg, struct argp_state *state)
{
	uint64_t factor = 1;
	const char *rest;

	if (parse_seconds(arg, &command->window_ns, &rest)) {
		factor = *rest == 'h' ? 3600 : *rest == 'm' ? 60 : 1;
		rest += *rest == 'h' || *rest == 'm' || *rest == 's';
	} else {
		rest = "?";
	}
	if (*rest || !command->window_ns || command->window_ns > UINT64_MAX / 2 / factor)
		argp_error(state, "--window requires a time such as 90s, 10m or 2h: `%s'", arg);
	command->window_ns *= factor;
}

static void parse_per(struct diff_command *command, const char *arg)
{
	command->per_event = NULL;
	if (!strcmp(arg, "process")) {
		command->per = PER_PROCESS;
	} else if (!strcmp(arg, "dso")) {
		command->per = PER_DSO;
	} else if (!strcmp(arg, "second")) {
		command->per = PER_SECOND;
	} else {
		command->per = PER_EVENT;
		command->per_event = arg;
	}
}

static void add_file(struct diff_command *command, const char *arg, struct argp_state *state)
{
	if (command->files[AFTER])
		argp_error(state, "more than two files given: `%s'", arg);
	command->files[command->files[BEFORE] ? AFTER : BEFORE] = arg;
}

static void check(struct diff_command *command, struct argp_state *state)
{
	bool two = command->files[AFTER];

	if (!command->files[BEFORE])
		command->files[BEFORE] = command->since_replaced ? "perf.data"
								 : cli__default_recording();
	if (two && !strcmp(command->files[BEFORE], "-") && !strcmp(command->files[AFTER], "-"))
		argp_error(state, "standard input cannot be both recordings");
	if (command->since_replaced && (two || command->selected[BEFORE] || command->path))
		argp_error(state, "--since-replaced cannot be combined with --before, --path or "
				  "two files");
	if (command->since_replaced && command->selected[AFTER] &&
		(strncmp(command->sides[AFTER].given, "build-id=", strlen("build-id=")) != 0 ||
			strchr(command->sides[AFTER].given, ',')))
		argp_error(state, "with --since-replaced, --after has to be build-id=HEX");
	if (!two && !command->since_replaced &&
		command->selected[BEFORE] != command->selected[AFTER])
		argp_error(state, "--before and --after have to be given together");
	if (command->folded && (command->json || command->source || command->chains))
		argp_error(state, "--folded cannot be combined with --json, --source or -g");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct diff_command *command = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &command->symbol_conf;
		break;
	case KEY_BEFORE:
		parse_side(command, BEFORE, arg, state);
		break;
	case KEY_AFTER:
		parse_side(command, AFTER, arg, state);
		break;
	case KEY_PATH:
		command->path = arg;
		break;
	case KEY_SINCE_REPLACED:
		command->since_replaced = arg;
		break;
	case KEY_WINDOW:
		parse_window(command, arg, state);
		break;
	case KEY_PER:
		parse_per(command, arg);
		break;
	case 'e':
		command->event = arg;
		break;
	case 'g':
		command->chains = true;
		break;
	case KEY_SOURCE:
		command->source = true;
		break;
	case KEY_FOLDED:
		command->folded = true;
		break;
	case KEY_JSON:
		command->json = true;
		break;
	case KEY_PERCENT_LIMIT:
		option__percent_limit(&command->percent_limit, arg, state);
		break;
	case KEY_NO_INLINE:
		command->no_inline = true;
		break;
	case 'f':
		command->force = true;
		break;
	case KEY_NO_PAGER:
		command->no_pager = true;
		break;
	case ARGP_KEY_ARG:
		add_file(command, arg, state);
		break;
	case ARGP_KEY_SUCCESS:
		check(command, state);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

void diff_options__parse(struct diff_command *ret, int argc, char **argv)
{
	static const struct argp_child CHILDREN[] = {{&SYMBOL_OPTIONS, 0, NULL, 0}, {0}};
	static const struct argp ARGP = {
		.options = OPTIONS,
		.parser = parse,
		.args_doc = "[FILE [FILE]]",
		.doc = "Compare two builds of a program, or two recordings, by function: which "
		       "changed by more than chance.",
		.children = CHILDREN,
	};

	*ret = (struct diff_command){.percent_limit = 0.5, .window_ns = WINDOW_NS};
	cli__parse(&ARGP, argc, argv, ret);
}

void diff_options__free(struct diff_command *command)
{
	for (int side = 0; side < SIDES; side++)
		free(command->sides[side].text);
}
