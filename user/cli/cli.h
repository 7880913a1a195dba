/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions that all commands use. Only this folder prints errors and exits. */
#ifndef PERFSTAMP_CLI_CLI_H
#define PERFSTAMP_CLI_CLI_H

#include <argp.h>
#include <stdbool.h>

enum exit_status {
	CLI_DONE = 0,
	CLI_FAILED = 1, /* an error, or a finding such as damage in check */
	CLI_USAGE = 2,
	CLI_PARTLY = 3, /* export: only the part before the damage was written */
};

/*
 * The commands. @argv[0] is "perfstamp COMMAND", which argp and errors print. Each returns its exit
 * status.
 */
int cmd_archive(int argc, char **argv);
int cmd_cache(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_dump(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_extract(int argc, char **argv);
int cmd_fleet(int argc, char **argv);
int cmd_inject(int argc, char **argv);
int cmd_kernel(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_push(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_replaced(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_timeline(int argc, char **argv);
int cmd_watch(int argc, char **argv);

/* Prints "perfstamp COMMAND: text" as one line, escaped for terminals. Returns CLI_FAILED. */
int cli__fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * Whether both paths are the same file: no command may replace the recording that it reads. False
 * if one of them is not a file, such as "-".
 */
bool cli__is_same_file(const char *path, const char *other);

/*
 * Returns the input of a command without a file argument, as in perf: standard input if it is a
 * pipe.
 */
const char *cli__default_recording(void);

/*
 * Parses options with @argp and adds -h, --help. @argp->options must not use 'h'. If the options
 * are invalid, argp prints an error and exits with CLI_USAGE.
 */
void cli__parse(const struct argp *argp, int argc, char **argv, void *input);
/* The same, but stops at the first argument, which may be followed by its own options. */
void cli__parse_in_order(const struct argp *argp, int argc, char **argv, void *input);

/*
 * The input of commands that show a recording: -i FILE, or FILE as the only argument, and --json.
 */
struct cli_recording {
	const char *path;
	bool json;
};
/* A child parser for it. Its input is a struct cli_recording. */
extern const struct argp_child CLI_RECORDING[];
/* Like CLI_RECORDING, but without --json. Its input is the path, a const char *. */
extern const struct argp_child CLI_INPUT_FILE[];

#endif
