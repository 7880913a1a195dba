// SPDX-License-Identifier: GPL-2.0-only
/* See options.h. */
#include "user/cli/push/options.h"

enum { KEY_FOLLOW = 256, KEY_HOST, KEY_STATE, KEY_BUILDID_DIR };

static const struct argp_option OPTIONS[] = {
	{"follow", KEY_FOLLOW, NULL, 0,
		"Continue with each file that is completed in DIR, and retry what fails", 0},
	{"force", 'f', NULL, 0, "Also push a FILE that was not closed properly", 0},
	{"host", KEY_HOST, "NAME", 0, "Name of the host (default: as recorded)", 0},
	{"buildid-dir", KEY_BUILDID_DIR, "DIR", 0,
		"Look here for which builds this host has files (default: perf's, ~/.debug)", 0},
	{"state", KEY_STATE, "FILE", 0,
		"Keep here what has been sent (default: a file for each URL and DIR, in "
		"$STATE_DIRECTORY or ~/.local/state/perfstamp)",
		0},
	{"verbose", 'v', NULL, 0, "Report each file", 0},
	{0},
};

static void take_argument(struct push_command *command, char *arg, struct argp_state *state)
{
	if (!command->url) {
		command->url = arg;
		return;
	}
	if (!command->n_paths)
		command->paths = &state->argv[state->next - 1];
	command->n_paths++;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct push_command *command = state->input;

	switch (key) {
	case KEY_FOLLOW:
		command->follow = true;
		return 0;
	case 'f':
		command->force = true;
		return 0;
	case KEY_HOST:
		command->host = arg;
		return 0;
	case KEY_STATE:
		command->state = arg;
		return 0;
	case KEY_BUILDID_DIR:
		command->buildid_dir = arg;
		return 0;
	case 'v':
		command->verbose = true;
		return 0;
	case ARGP_KEY_ARG:
		take_argument(command, arg, state);
		return 0;
	case ARGP_KEY_END:
		if (!command->n_paths)
			argp_error(state, "a URL, and a directory or file are required");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp PUSH_ARGP = {
	.options = OPTIONS,
	.parser = parse,
	.args_doc = "URL DIR|FILE...",
	.doc = "Send recordings to the database of a fleet: which builds were mapped where and "
	       "when, which were replaced, and what was lost.",
};
