// SPDX-License-Identifier: GPL-2.0-only
/* See capture_options.h. */
#include "user/cli/record/capture_options.h"

#include <string.h>

#include "user/cli/option_value.h"
#include "user/record/capture/dso_capture.h"

#define ROOM_DEFAULT (1ull << 30)
#define RATE_DEFAULT (64ull << 20)

enum {
	KEY_CAPTURE = 1400,
	KEY_CAPTURE_MAX,
	KEY_CAPTURE_RATE,
	KEY_CAPTURE_AGE,
};

static const struct argp_option OPTIONS[] = {
	{NULL, 0, NULL, 0, "Copies of mapped binaries:", 5},
	{"capture", KEY_CAPTURE, "symbols|full", OPTION_ARG_OPTIONAL,
		"Copy each DSO once into perf's build-id cache while it is mapped: its symbols "
		"(default), or the full file",
		0},
	{"capture-max", KEY_CAPTURE_MAX, "SIZE", 0,
		"Limit captured files in the cache to SIZE, with suffix B, K, M or G (default: "
		"1G); removes files that were not seen for the longest time",
		0},
	{"capture-rate", KEY_CAPTURE_RATE, "SIZE", 0, "Copy at most SIZE a second (default: 64M)",
		0},
	{"capture-age", KEY_CAPTURE_AGE, "AGE", 0,
		"Remove captured files that no recording has seen for AGE, with suffix s, m, h or "
		"d",
		0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct dso_capture_options *options = state->input;
	uint64_t age_ns = 0;

	switch (key) {
	case KEY_CAPTURE:
		if (!arg || !strcmp(arg, "symbols"))
			options->what = DSO_CAPTURE_SYMBOLS;
		else if (!strcmp(arg, "full"))
			options->what = DSO_CAPTURE_FULL;
		else
			argp_error(state, "--capture requires symbols or full: `%s'", arg);
		return 0;
	case KEY_CAPTURE_MAX:
		if (option_value__size(arg, &options->room))
			argp_error(state, "--capture-max requires a size with B, K, M or G: `%s'",
				arg);
		return 0;
	case KEY_CAPTURE_RATE:
		if (option_value__size(arg, &options->rate))
			argp_error(state, "--capture-rate requires a size with B, K, M or G: `%s'",
				arg);
		return 0;
	case KEY_CAPTURE_AGE:
		if (option_value__time(arg, &age_ns))
			argp_error(state, "--capture-age requires a time with s, m, h or d: `%s'",
				arg);
		options->age_s = age_ns / 1000000000ull;
		return 0;
	case ARGP_KEY_END:
		if ((options->room || options->rate || options->age_s) &&
			options->what == DSO_CAPTURE_NOTHING)
			argp_error(state, "--capture-max, --capture-rate and --capture-age require "
					  "--capture");
		if (!options->room)
			options->room = ROOM_DEFAULT;
		if (!options->rate)
			options->rate = RATE_DEFAULT;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp CAPTURE_ARGP = {
	.options = OPTIONS,
	.parser = parse,
};
