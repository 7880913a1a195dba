// SPDX-License-Identifier: GPL-2.0-only
/* See record_files.h. */
#include "user/cli/record/files.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/cli/record/command.h"
#include "user/cli/record/options.h"

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
		"Begin a next file, each with a name that has its time, on SIGUSR2 (signal, the "
		"default), and also when one has SIZE (with B, K, M or G), or after TIME (with s, "
		"m, h or d)",
		0},
	{"overwrite", KEY_OVERWRITE, "SIZE|TIME", OPTION_ARG_OPTIONAL,
		"Keep only the last part of the recording, in memory: up to SIZE (64M), or TIME, "
		"if it fits; write it to a file on SIGUSR2, and at the end",
		0},
	{"switch-max-files", KEY_SWITCH_MAX_FILES, "N", 0,
		"Of these keep the newest N; older ones are removed", 0},
	{"keep", KEY_KEEP, "SIZE|TIME", 0,
		"Remove the oldest files that have their time, of earlier recordings to this name, "
		"too, while all together have more than SIZE, or while they are older than TIME",
		0},
	{"memory", KEY_MEMORY, "SIZE", 0,
		"What is remembered for next files takes no more than SIZE: names of threads, "
		"namespaces and paths of cgroups are left out, in this order, as far as needed",
		0},
	{"timestamp-filename", KEY_TIMESTAMP_FILENAME, NULL, 0,
		"Put the time behind the file's name when it is complete", 0},
	{"max-size", KEY_MAX_SIZE, "SIZE", 0,
		"End when so much is written, in all files; with B, K, M or G", 0},
	{0},
};

static void set_overwrite(struct flight_bounds *bounds, const char *text, struct argp_state *state)
{
	if (!bounds->bytes)
		bounds->bytes = FLIGHT_BYTES_DEFAULT;
	if (!text || !record_options__time(text, &bounds->ns))
		return;
	if (record_options__size(text, &bounds->bytes) || bounds->bytes < FLIGHT_BYTES_LEAST)
		argp_error(state,
			"--overwrite wants a size with B, K, M or G, of 1M at least, or a time "
			"with s, m, h or d: `%s'",
			text);
}

/* What --overwrite means for the others. */
static void check_overwrite(struct recorder_options *recorder, struct argp_state *state)
{
	if (recorder->switch_when == SWITCH_BY_SIZE || recorder->switch_when == SWITCH_BY_TIME)
		argp_error(state,
			"--overwrite writes a file when it is asked to: not by size or time, as "
			"--switch-output would");
	if (recorder->max_bytes)
		argp_error(state,
			"--max-size is about all that is recorded, and --overwrite keeps the last "
			"part only");
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
		else if (!record_options__size(arg, &recorder->switch_at))
			recorder->switch_when = SWITCH_BY_SIZE;
		else if (!record_options__time(arg, &recorder->switch_at))
			recorder->switch_when = SWITCH_BY_TIME;
		else
			argp_error(state,
				"--switch-output wants signal, a size with B, K, M or G, or a time "
				"with s, m, h or d: `%s'",
				arg);
		return 0;
	case KEY_OVERWRITE:
		set_overwrite(&recorder->overwrite, arg, state);
		return 0;
	case KEY_SWITCH_MAX_FILES:
		command->given[SETTING_SWITCH_MAX_FILES] = true;
		if (record_options__number(arg, &recorder->max_files))
			argp_error(state, "--switch-max-files wants a number of files: `%s'", arg);
		return 0;
	case KEY_KEEP:
		command->given[SETTING_KEEP] = true;
		if (record_options__size(arg, &recorder->keep.bytes) &&
			record_options__time(arg, &recorder->keep.age_ns))
			argp_error(state,
				"--keep wants a size with B, K, M or G, or a time with s, m, h or "
				"d: `%s'",
				arg);
		return 0;
	case KEY_MEMORY:
		command->given[SETTING_MEMORY] = true;
		if (record_options__size(arg, &recorder->max_memory))
			argp_error(state, "--memory wants a size with B, K, M or G: `%s'", arg);
		return 0;
	case KEY_TIMESTAMP_FILENAME:
		recorder->timestamp_filename = true;
		return 0;
	case KEY_MAX_SIZE:
		if (record_options__size(arg, &recorder->max_bytes))
			argp_error(state, "--max-size wants a size with B, K, M or G: `%s'", arg);
		return 0;
	case ARGP_KEY_END:
		if (recorder->overwrite.bytes)
			check_overwrite(recorder, state);
		if (recorder->max_files && recorder->switch_when == SWITCH_NEVER)
			argp_error(state,
				"--switch-max-files goes with --switch-output or --overwrite");
		if ((recorder->keep.bytes || recorder->keep.age_ns || recorder->max_memory) &&
			recorder->switch_when == SWITCH_NEVER)
			argp_error(state,
				"--keep and --memory go with --switch-output or --overwrite");
		if (recorder->switch_when != SWITCH_NEVER && recorder->tail_synthesize)
			argp_error(state,
				"--switch-output and --overwrite, and --tail-synthesize exclude "
				"each other: a file that others follow begins with what is alive, "
				"or its samples resolve in none");
		if ((recorder->switch_when != SWITCH_NEVER || recorder->timestamp_filename) &&
			!strcmp(recorder->output, "-"))
			argp_error(state, "standard output has no name: --switch-output, "
					  "--overwrite and --timestamp-filename are for files");
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
