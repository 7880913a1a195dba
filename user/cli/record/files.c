// SPDX-License-Identifier: GPL-2.0-only
/* See files.h. */
#include "user/cli/record/files.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/cli/record/request.h"
#include "user/cli/option_value.h"

enum {
	KEY_SWITCH_OUTPUT = 1100,
	KEY_SWITCH_MAX_FILES,
	KEY_TIMESTAMP_FILENAME,
	KEY_MAX_SIZE,
	KEY_KEEP,
	KEY_MEMORY,
	KEY_OVERWRITE,
};

static const struct argp_option OPTIONS[] = {
	{NULL, 0, NULL, 0, "Files:", 4},
	{"switch-output", KEY_SWITCH_OUTPUT, "signal|SIZE|TIME", OPTION_ARG_OPTIONAL,
		"Start a new file on SIGUSR2 (signal, the default), and also at SIZE (suffix B, K, "
		"M or G) or after TIME (suffix s, m, h or d); the time is appended to each name",
		0},
	{"overwrite", KEY_OVERWRITE, "SIZE|TIME", OPTION_ARG_OPTIONAL,
		"Keep only the latest records, in memory: up to SIZE (default: 64M), or those of "
		"the last TIME that fit; write them to a file on SIGUSR2 and at the end",
		0},
	{"switch-max-files", KEY_SWITCH_MAX_FILES, "N", 0,
		"Keep the newest N files of this recording and remove older ones", 0},
	{"keep", KEY_KEEP, "SIZE|TIME", 0,
		"Remove the oldest complete files of this output while their total exceeds SIZE, "
		"or while they are older than TIME; includes files of earlier recordings",
		0},
	{"memory", KEY_MEMORY, "SIZE", 0,
		"Use at most SIZE for the state that each new file repeats. If it does not fit, "
		"omit first thread names, then namespaces, then cgroup paths",
		0},
	{"timestamp-filename", KEY_TIMESTAMP_FILENAME, NULL, 0,
		"Append the completion time to the file name", 0},
	{"max-size", KEY_MAX_SIZE, "SIZE", 0,
		"Stop when SIZE (suffix B, K, M or G) has been written, in all files together", 0},
	{0},
};

static void set_overwrite(struct flight_bounds *bounds, const char *text, struct argp_state *state)
{
	if (!bounds->bytes)
		bounds->bytes = FLIGHT_BYTES_DEFAULT;
	if (!text || !option_value__time(text, &bounds->ns))
		return;
	if (option_value__size(text, &bounds->bytes) || bounds->bytes < FLIGHT_BYTES_LEAST)
		argp_error(state,
			"--overwrite requires a size with B, K, M or G, of 1M at least, or a time "
			"with s, m, h or d: `%s'",
			text);
}

/* Checks the options that --overwrite affects. */
static void check_overwrite(struct recorder_options *recorder, struct argp_state *state)
{
	if (recorder->switch_when == SWITCH_BY_SIZE || recorder->switch_when == SWITCH_BY_TIME)
		argp_error(state, "--overwrite writes a file only on request: it cannot be "
				  "combined with --switch-output by size or time");
	if (recorder->max_bytes)
		argp_error(state, "--max-size cannot be combined with --overwrite, which keeps "
				  "only the latest records");
	recorder->switch_when = SWITCH_ON_SIGNAL;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct record_command *command = state->input;
	struct recorder_options *recorder = &command->recorder;

	switch (key) {
	case KEY_SWITCH_OUTPUT:
		command->plain_switch_output = !arg;
		if (!arg || !strcmp(arg, "signal"))
			recorder->switch_when = SWITCH_ON_SIGNAL;
		else if (!option_value__size(arg, &recorder->switch_at))
			recorder->switch_when = SWITCH_BY_SIZE;
		else if (!option_value__time(arg, &recorder->switch_at))
			recorder->switch_when = SWITCH_BY_TIME;
		else
			argp_error(state,
				"--switch-output requires signal, a size with B, K, M or G, or a "
				"time "
				"with s, m, h or d: `%s'",
				arg);
		return 0;
	case KEY_OVERWRITE:
		set_overwrite(&recorder->overwrite, arg, state);
		return 0;
	case KEY_SWITCH_MAX_FILES:
		command->given[SETTING_SWITCH_MAX_FILES] = true;
		if (option_value__number(arg, 1, UINT64_MAX, &recorder->max_files))
			argp_error(
				state, "--switch-max-files requires a number of files: `%s'", arg);
		return 0;
	case KEY_KEEP:
		command->given[SETTING_KEEP] = true;
		if (option_value__size(arg, &recorder->keep.bytes) &&
			option_value__time(arg, &recorder->keep.age_ns))
			argp_error(state,
				"--keep requires a size with B, K, M or G, or a time with s, m, h "
				"or "
				"d: `%s'",
				arg);
		return 0;
	case KEY_MEMORY:
		command->given[SETTING_MEMORY] = true;
		if (option_value__size(arg, &recorder->max_memory))
			argp_error(state, "--memory requires a size with B, K, M or G: `%s'", arg);
		return 0;
	case KEY_TIMESTAMP_FILENAME:
		recorder->timestamp_filename = true;
		return 0;
	case KEY_MAX_SIZE:
		if (option_value__size(arg, &recorder->max_bytes))
			argp_error(
				state, "--max-size requires a size with B, K, M or G: `%s'", arg);
		return 0;
	case ARGP_KEY_END:
		if (recorder->overwrite.bytes)
			check_overwrite(recorder, state);
		if (recorder->max_files && recorder->switch_when == SWITCH_NEVER)
			argp_error(state,
				"--switch-max-files requires --switch-output or --overwrite");
		if ((recorder->keep.bytes || recorder->keep.age_ns || recorder->max_memory) &&
			recorder->switch_when == SWITCH_NEVER)
			argp_error(state,
				"--keep and --memory require --switch-output or --overwrite");
		if (recorder->switch_when != SWITCH_NEVER && recorder->tail_synthesize)
			argp_error(state,
				"--tail-synthesize cannot be combined with --switch-output or "
				"--overwrite, whose files begin with the state at that time");
		if ((recorder->switch_when != SWITCH_NEVER || recorder->timestamp_filename) &&
			!strcmp(recorder->output, "-"))
			argp_error(state, "--switch-output, --overwrite and --timestamp-filename "
					  "require a file: standard output has no name");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp RECORD_FILES = {
	.options = OPTIONS,
	.parser = parse,
};

void record_files__choose_output(struct record_command *command)
{
	struct recorder_options *recorder = &command->recorder;
	struct stat st;

	if (!command->output_given && recorder->switch_when == SWITCH_NEVER &&
		!recorder->timestamp_filename && !fstat(STDOUT_FILENO, &st) && S_ISFIFO(st.st_mode))
		recorder->output = "-";
}
