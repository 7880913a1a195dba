// SPDX-License-Identifier: GPL-2.0-only
/* See capture_options.h. */
#include "user/cli/record/capture_options.h"

#include <string.h>

#include "user/cli/record/options.h"
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
	{NULL, 0, NULL, 0, "Copies of what is mapped:", 5},
	{"capture", KEY_CAPTURE, "symbols|full", OPTION_ARG_OPTIONAL,
		"Copy each DSO into perf's build-id cache while it is mapped, once: its symbols "
		"(the default), or all of it",
		0},
	{"capture-max", KEY_CAPTURE_MAX, "SIZE", 0,
		"All that was captured takes no more of the cache than SIZE, 1G by default: what "
		"was not seen for longest goes; with B, K, M or G",
		0},
	{"capture-rate", KEY_CAPTURE_RATE, "SIZE", 0,
		"Copy no more than SIZE a second, 64M by default", 0},
	{"capture-age", KEY_CAPTURE_AGE, "AGE", 0,
		"Of what was captured, what no recording has seen for AGE goes; with s, m, h or d",
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
			argp_error(state, "--capture wants symbols or full: `%s'", arg);
		return 0;
	case KEY_CAPTURE_MAX:
		if (record_options__size(arg, &options->room))
			argp_error(
				state, "--capture-max wants a size with B, K, M or G: `%s'", arg);
		return 0;
	case KEY_CAPTURE_RATE:
		if (record_options__size(arg, &options->rate))
			argp_error(
				state, "--capture-rate wants a size with B, K, M or G: `%s'", arg);
		return 0;
	case KEY_CAPTURE_AGE:
		if (record_options__time(arg, &age_ns))
			argp_error(
				state, "--capture-age wants a time with s, m, h or d: `%s'", arg);
		options->age_s = age_ns / 1000000000ull;
		return 0;
	case ARGP_KEY_END:
		if ((options->room || options->rate || options->age_s) &&
			options->what == DSO_CAPTURE_NOTHING)
			argp_error(state, "--capture-max, --capture-rate and --capture-age go with "
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
