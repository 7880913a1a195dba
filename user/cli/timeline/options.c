// SPDX-License-Identifier: GPL-2.0-only
/* See options.h. */
#include "user/cli/timeline/options.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/cli/cli.h"
#include "user/cli/option_value.h"

#define COMPARISONS 3
#define COMPARISONS_MAX 20

enum { KEY_COMPARISONS = 256, KEY_NO_FUNCTIONS };

static const struct argp_option OPTIONS[] = {
	{"input", 'i', "FILE", 0,
		"Read FILE, or standard input for - (default: standard input if it is a pipe, "
		"otherwise perf.data); several files of one series become one page",
		0},
	{"output", 'o', "PAGE", 0,
		"Write the page to PAGE, or to standard output for - (default: timeline.html)", 0},
	{"comparisons", KEY_COMPARISONS, "N", 0,
		"Show what changed, by function, for the N replaced paths with the most samples "
		"(default: 3); each is a further reading of the recording",
		0},
	{"no-functions", KEY_NO_FUNCTIONS, NULL, 0,
		"Omit functions and the flame graph: no symbols are read", 0},
	{0},
};

static void add_path(struct timeline_command *command, const char *path, struct argp_state *state)
{
	if (array__extend(&command->paths, command->n_paths, sizeof(*command->paths)))
		argp_failure(state, CLI_FAILED, 0, "out of memory");
	else
		command->paths[command->n_paths++] = path;
}

static void parse_comparisons(
	struct timeline_command *command, const char *arg, struct argp_state *state)
{
	uint64_t n;

	if (option_value__number(arg, 0, COMPARISONS_MAX, &n))
		argp_error(state, "--comparisons requires a number from 0 to %d: `%s'",
			COMPARISONS_MAX, arg);
	command->comparisons = n;
}

static void check(struct timeline_command *command, struct argp_state *state)
{
	if (!command->n_paths)
		add_path(command, cli__default_recording(), state);
	for (size_t i = 0; i < command->n_paths; i++)
		if (command->n_paths > 1 && !strcmp(command->paths[i], "-"))
			argp_error(state, "standard input is no file of a series");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct timeline_command *command = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &command->symbol_conf;
		return 0;
	case 'i':
	case ARGP_KEY_ARG:
		add_path(command, arg, state);
		return 0;
	case 'o':
		command->output = arg;
		return 0;
	case KEY_COMPARISONS:
		parse_comparisons(command, arg, state);
		return 0;
	case KEY_NO_FUNCTIONS:
		command->no_functions = true;
		return 0;
	case ARGP_KEY_END:
		check(command, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

void timeline_options__parse(struct timeline_command *ret, int argc, char **argv)
{
	static const struct argp_child CHILDREN[] = {{&SYMBOL_OPTIONS, 0, NULL, 0}, {0}};
	static const struct argp ARGP = {
		.options = OPTIONS,
		.parser = parse,
		.args_doc = "[FILE...]",
		.doc = "Write a page that shows a recording over time: samples and their "
		       "functions, "
		       "mappings and replacements, kernel modules, containers, CPUs and losses. It "
		       "needs a browser and no network.",
		.children = CHILDREN,
	};

	*ret = (struct timeline_command){.output = "timeline.html", .comparisons = COMPARISONS};
	cli__parse(&ARGP, argc, argv, ret);
}

void timeline_options__free(struct timeline_command *command)
{
	free(command->paths);
}
