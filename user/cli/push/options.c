// SPDX-License-Identifier: GPL-2.0-only
/* See options.h. */
#include "user/cli/push/options.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_FOLLOW = 256, KEY_HOST, KEY_STATE, KEY_BUILDID_DIR, KEY_HEADERS, KEY_TIMEOUT };

static const struct argp_option OPTIONS[] = {
	{"follow", KEY_FOLLOW, NULL, 0,
		"Continue with each file that is completed in DIR, and retry what fails", 0},
	{"force", 'f', NULL, 0, "Also push a FILE that was not closed properly", 0},
	{"headers", KEY_HEADERS, "FILE", 0,
		"Send the header lines in FILE with each request, for example Authorization", 0},
	{"timeout", KEY_TIMEOUT, "SECONDS", 0,
		"How long an HTTP receiver may not respond (default: 60)", 0},
	{"host", KEY_HOST, "NAME", 0, "Name of the host in the database (default: as recorded)", 0},
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

static void take_timeout(struct push_command *command, const char *arg, struct argp_state *state)
{
	char *end;
	unsigned long value = strtoul(arg, &end, 10);

	if (*end || !isdigit((unsigned char)*arg) || !value || value > 86400)
		argp_error(state, "--timeout requires a number of seconds: `%s'", arg);
	command->timeout_s = (unsigned int)value;
}

static void check(const struct push_command *command, struct argp_state *state)
{
	bool http = !strncmp(command->url, "http", strlen("http"));

	if (!http && (command->headers || command->timeout_s))
		argp_error(state, "--headers and --timeout require an HTTP receiver");
	if (http && (command->host || command->buildid_dir))
		argp_error(state, "--host and --buildid-dir require a database");
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
	case KEY_HEADERS:
		command->headers = arg;
		return 0;
	case KEY_TIMEOUT:
		take_timeout(command, arg, state);
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
		else
			check(command, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp PUSH_ARGP = {
	.options = OPTIONS,
	.parser = parse,
	.args_doc = "URL DIR|FILE...",
	.doc = "Send recordings to an OpenTelemetry receiver of profiles (http://, https://), or "
	       "to "
	       "the database of a fleet (postgresql://): which builds were mapped where and when, "
	       "which were replaced, and what was lost.",
};
