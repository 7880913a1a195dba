// SPDX-License-Identifier: GPL-2.0-only
/* perfstamp dump: prints the records of a recording in the order of the file. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "user/cli/cli.h"
#include "user/cli/dump/code_files.h"
#include "user/cli/input.h"
#include "user/perfdata/read/reader.h"
#include "user/view/dump/dump.h"

struct options {
	struct cli_recording recording;
	bool header;
	bool header_only;
	bool raw;
	const char *code_files; /* a directory; NULL: not requested */
};

enum { KEY_HEADER = 256, KEY_RAW, KEY_CODE_FILES };

static const struct argp_option OPTIONS[] = {
	{"header", KEY_HEADER, NULL, 0, "Also show the header: format, events, features", 0},
	{"header-only", 'H', NULL, 0, "Show only the header", 0},
	{"raw", KEY_RAW, NULL, 0, "Also show the bytes of each record", 0},
	{"code-files", KEY_CODE_FILES, "DIR", 0,
		"Write the recorded perf map files and jitdumps to DIR, and show nothing", 0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->recording;
		return 0;
	case KEY_HEADER:
		options->header = true;
		return 0;
	case 'H':
		options->header_only = true;
		return 0;
	case KEY_RAW:
		options->raw = true;
		return 0;
	case KEY_CODE_FILES:
		options->code_files = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/*
 * Prints the records, and each error at its place. If one file of a directory is damaged, the
 * others are still read.
 */
static int dump_records(
	struct fields *fields, struct perfdata_reader *reader, const struct options *options)
{
	const char *missing = perfdata_reader__missing_file(reader);
	bool directory = perfdata_reader__is_directory(reader);
	int more = 1, status = CLI_DONE;
	struct event event;
	struct error err;

	while (!ferror(stdout) && more > 0) {
		more = perfdata_reader__next(reader, &event, &err);
		if (more > 0 && !options->header_only)
			dump__event(fields, &event,
				directory ? perfdata_reader__file_name(reader) : NULL,
				options->raw);
		if (more >= 0)
			continue;
		status = cli__fail("%s", err.text);
		more = perfdata_reader__skip_file(reader);
	}
	if (missing)
		status = cli__fail(
			"%s: missing, although later files of the directory exist", missing);
	return status;
}

static int write_code_files(struct perfdata_reader *reader, const char *directory)
{
	struct code_files files = {.directory = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC)};
	int more = 1, status = CLI_DONE;
	struct event event;
	struct error err;

	if (files.directory < 0)
		return cli__fail("%s", (error__errno(&err, -errno, "%s", directory), err.text));
	while (more > 0) {
		more = perfdata_reader__next(reader, &event, &err);
		if (more > 0 && event.kind == EVENT_CODE)
			more = code_files__take(&files, &event.code, &err) ? -1 : 1;
	}
	if (more < 0)
		status = cli__fail("%s", err.text);
	else if (!files.n)
		status = cli__fail("the recording has no perf map files and no jitdumps");
	code_files__free(&files);
	close(files.directory);
	return status;
}

static int dump(
	struct fields *fields, struct perfdata_reader *reader, const struct options *options)
{
	/* The records of a pipe contain its events and features. */
	bool header_last = perfdata_reader__is_pipe(reader);
	bool header = options->header || options->header_only;
	int status = CLI_DONE;

	if (header && !header_last)
		dump__header(fields, reader);
	if (!options->header_only || header_last)
		status = dump_records(fields, reader, options);
	if (header && header_last)
		dump__header(fields, reader);
	return status;
}

int cmd_dump(int argc, char **argv)
{
	static const struct argp ARGP = {
		.options = OPTIONS,
		.parser = parse,
		.args_doc = "[FILE]",
		.doc = "Show every record of a recording, in the order of the file.",
		.children = CLI_RECORDING,
	};
	struct fields fields = {.out = stdout};
	struct perfdata_reader *reader;
	struct options options = {0};
	struct error err;
	int status;

	cli__parse(&ARGP, argc, argv, &options);
	fields.ops = options.recording.json ? &FIELDS_JSON : &FIELDS_TEXT;
	if (perfdata_reader__open(&reader, options.recording.path, &err))
		return cli__fail("%s", err.text);
	status = options.code_files ? write_code_files(reader, options.code_files)
				    : dump(&fields, reader, &options);
	if (status == CLI_DONE)
		input__warn_if_cut(reader, options.recording.path);
	perfdata_reader__free(reader);
	return status;
}
