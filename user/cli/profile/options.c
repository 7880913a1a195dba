// SPDX-License-Identifier: GPL-2.0-only
/* See options.h. */
#include "user/cli/profile/options.h"

#include <errno.h>
#include <stdlib.h>

#include "user/cli/cli.h"

/* Outside of the keys of commands. */
enum { KEY_BUILDID_DIR = 1 << 14, KEY_NO_DEBUGINFOD, KEY_NO_DEMANGLE };

static const struct argp_option OPTIONS[] = {
	{"no-demangle", KEY_NO_DEMANGLE, NULL, 0, "Do not demangle names of C++ and Rust", 0},
	{"buildid-dir", KEY_BUILDID_DIR, "DIR", 0, "Build-id cache (default: perf's, ~/.debug)", 0},
	{"no-debuginfod", KEY_NO_DEBUGINFOD, NULL, 0,
		"Do not request files from the servers in DEBUGINFOD_URLS", 0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct symbol_conf *conf = state->input;

	switch (key) {
	case KEY_BUILDID_DIR:
		conf->store = arg;
		return 0;
	case KEY_NO_DEBUGINFOD:
		conf->no_debuginfod = true;
		return 0;
	case KEY_NO_DEMANGLE:
		conf->no_demangle = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp SYMBOL_OPTIONS = {.options = OPTIONS, .parser = parse};

void option__names(struct name_list *ret, const char *arg, struct argp_state *state)
{
	if (name_list__parse(ret, arg))
		argp_failure(state, CLI_FAILED, 0, "out of memory");
}

void option__numbers(
	struct number_list *ret, const char *name, const char *arg, struct argp_state *state)
{
	int err = number_list__parse(ret, arg);

	if (err == -ENOMEM)
		argp_failure(state, CLI_FAILED, 0, "out of memory");
	if (err)
		argp_error(state, "--%s requires numbers such as 1,4-7: `%s'", name, arg);
}

void option__times(struct time_spans *ret, const char *arg, struct argp_state *state)
{
	if (!time_spans__parse(ret, arg))
		argp_error(state,
			"--time requires START,STOP in seconds, one of which may be omitted, or "
			"A%%-B%% of the time of all samples: `%s'",
			arg);
}

void option__percent_limit(double *ret, const char *arg, struct argp_state *state)
{
	char *end;

	*ret = strtod(arg, &end);
	if (end == arg || *end || !(*ret >= 0) || *ret > 100)
		argp_error(state, "--percent-limit requires a number from 0 to 100: `%s'", arg);
}
