// SPDX-License-Identifier: GPL-2.0-only
/* Functions that the commands share: see cli.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/base/text.h"
#include "user/cli/cli.h"
#include "user/cli/progress_bar.h"

int cli__fail(const char *fmt, ...)
{
	va_list args;
	char *text;

	fflush(stdout); /* print findings before the error */
	progress_bar__hide();
	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	va_end(args);
	/* Paths and other data of a recording are untrusted. */
	if (text)
		text__sanitize(text);
	fprintf(stderr, "%s: %s\n", program_invocation_name, text ? text : "out of memory");
	free(text);
	return CLI_FAILED;
}

#define HELP_COLUMN 29 /* the column where descriptions of options begin in argp's help */

/* Returns the column where the description of an option begins in a line of help, or 0. */
static size_t text_column(const char *line, size_t len)
{
	size_t at = strspn(line, " ");

	if (line[at] != '-')
		return 0;
	for (; at + 2 < len; at++)
		if (line[at] == ' ' && line[at + 1] == ' ')
			return at + strspn(line + at, " ");
	return 0;
}

/*
 * argp begins a description right behind a long option, and writes a line of spaces if a text
 * exactly fills the line. This writes such lines in the usual layout.
 */
static void write_help_line(FILE *out, const char *line, size_t len)
{
	size_t column = text_column(line, len), option = column;

	if (len && strspn(line, " ") >= len)
		return;
	if (column <= HELP_COLUMN) {
		fprintf(out, "%.*s\n", (int)len, line);
		return;
	}
	while (line[option - 1] == ' ')
		option--;
	fprintf(out, "%.*s\n%*s%.*s\n", (int)option, line, HELP_COLUMN, "", (int)(len - column),
		line + column);
}

static void show_help(struct argp_state *state)
{
	char *text = NULL;
	size_t size, len;
	FILE *help = open_memstream(&text, &size);

	if (!help)
		argp_failure(state, CLI_FAILED, 0, "out of memory");
	/* Print the help without argp's exit; the program ends below. */
	argp_state_help(state, help, ARGP_HELP_STD_HELP & ~ARGP_HELP_EXIT_OK);
	if (!help || fclose(help))
		argp_failure(state, CLI_FAILED, 0, "out of memory");
	for (const char *line = text; line && *line; line += len + (line[len] == '\n')) {
		len = strcspn(line, "\n");
		write_help_line(state->out_stream, line, len);
	}
	free(text);
	exit(CLI_DONE);
}

enum { KEY_USAGE = 1 << 16, KEY_JSON }; /* outside of the keys of commands */

static error_t parse_help(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = state->input;
		return 0;
	case 'h':
		show_help(state);
		return 0;
	case KEY_USAGE:
		argp_state_help(state, state->out_stream, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/*
 * Prints one line for each option, for shell completion (perf's --list-opts): its long name, its
 * letter, its argument (in brackets if it is optional), and its description, separated by tabs.
 */
static void list_options(const struct argp *argp)
{
	const struct argp_option *option = argp->options;

	for (; option && (option->name || option->key || option->doc); option++) {
		char letter[2] = {0};

		if (!option->name || option->flags & OPTION_HIDDEN)
			continue;
		if (option->key > ' ' && option->key < 0x7f)
			letter[0] = (char)option->key;
		printf("--%s\t%s%s\t", option->name, *letter ? "-" : "", letter);
		if (option->arg)
			printf(option->flags & OPTION_ARG_OPTIONAL ? "[%s]" : "%s", option->arg);
		printf("\t%s\n", option->doc ? option->doc : "");
	}
	for (const struct argp_child *child = argp->children; child && child->argp; child++)
		list_options(child->argp);
}

static void parse(const struct argp *argp, int argc, char **argv, unsigned int flags, void *input)
{
	/* The help option of argp has no short form except -?. */
	static const struct argp_option OPTIONS[] = {
		{"help", 'h', NULL, 0, "Show this help and exit", -1},
		{"usage", KEY_USAGE, NULL, 0, "Show a short summary of the options and exit", -1},
		{0},
	};
	const struct argp_child children[] = {{argp, 0, NULL, 0}, {0}};
	const struct argp with_help = {
		.options = OPTIONS, .parser = parse_help, .children = children};

	if (argc == 2 && !strcmp(argv[1], "--list-opts")) {
		list_options(&with_help);
		exit(CLI_DONE);
	}
	argp_err_exit_status = CLI_USAGE;
	argp_parse(&with_help, argc, argv, ARGP_NO_HELP | flags, NULL, input);
}

void cli__parse(const struct argp *argp, int argc, char **argv, void *input)
{
	parse(argp, argc, argv, 0, input);
}

void cli__parse_in_order(const struct argp *argp, int argc, char **argv, void *input)
{
	parse(argp, argc, argv, ARGP_IN_ORDER, input);
}

bool cli__is_same_file(const char *path, const char *other)
{
	struct stat st, other_st;

	return !stat(path, &st) && !stat(other, &other_st) && st.st_dev == other_st.st_dev &&
	       st.st_ino == other_st.st_ino;
}

const char *cli__default_recording(void)
{
	struct stat st;

	return !fstat(STDIN_FILENO, &st) && S_ISFIFO(st.st_mode) ? "-" : "perf.data";
}

static error_t parse_input_file(int key, char *arg, struct argp_state *state)
{
	const char **path = state->input;

	switch (key) {
	case 'i':
	case ARGP_KEY_ARG:
		if (*path)
			argp_error(state, "more than one file given: %s, %s", *path, arg);
		*path = arg;
		return 0;
	case ARGP_KEY_END:
		if (!*path)
			*path = cli__default_recording();
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option INPUT_FILE_OPTIONS[] = {
	{"input", 'i', "FILE", 0,
		"Read FILE, or standard input for - (default: standard input if it is a pipe, "
		"otherwise perf.data)",
		0},
	{0},
};

static const struct argp INPUT_FILE = {
	.options = INPUT_FILE_OPTIONS,
	.parser = parse_input_file,
};

static error_t parse_recording(int key, char *arg, struct argp_state *state)
{
	struct cli_recording *recording = state->input;

	(void)arg;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &recording->path;
		return 0;
	case KEY_JSON:
		recording->json = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option RECORDING_OPTIONS[] = {
	{"json", KEY_JSON, NULL, 0, "Write JSON, one object per line", 0},
	{0},
};

const struct argp_child CLI_INPUT_FILE[] = {{&INPUT_FILE, 0, NULL, 0}, {0}};

static const struct argp RECORDING = {
	.options = RECORDING_OPTIONS,
	.parser = parse_recording,
	.children = CLI_INPUT_FILE,
};

const struct argp_child CLI_RECORDING[] = {{&RECORDING, 0, NULL, 0}, {0}};
