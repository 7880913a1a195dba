// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfstamp: finds the command and runs it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/cli/cli.h"

#define PROGRAM "perfstamp"

struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *what;
};

static int cmd_help(int argc, char **argv);

static const struct command COMMANDS[] = {
	{"record", cmd_record, "record samples and the identity of every mapped binary"},
	{"watch", cmd_watch, "report new and replaced binaries as they are mapped"},
	{"replaced", cmd_replaced,
		"list processes that run outdated builds, and the services to restart"},
	{"doctor", cmd_doctor, "check what this system supports, and how to enable more"},
	{"list", cmd_list, "list every identity in a recording"},
	{"report", cmd_report, "show where time was spent, by process, DSO and function"},
	{"diff", cmd_diff, "show what changed between two builds, or two recordings, by function"},
	{"dump", cmd_dump, "show every record of a recording"},
	{"check", cmd_check, "check a recording: structure, losses, coverage"},
	{"timeline", cmd_timeline, "write a page that shows a recording over time"},
	{"extract", cmd_extract, "write the samples of one build into a file for other tools"},
	{"export", cmd_export,
		"write the samples for pprof, OpenTelemetry, Firefox Profiler or speedscope"},
	{"push", cmd_push, "send recordings to a profile receiver, or to the database of a fleet"},
	{"fleet", cmd_fleet, "show which hosts run which builds, from that database"},
	{"inject", cmd_inject, "put code that was made at run time into DSOs for perf"},
	{"kernel", cmd_kernel, "show the build-ids of a kernel, or compare two"},
	{"cache", cmd_cache, "cache files by identity: list, add, find, verify, trim"},
	{"archive", cmd_archive, "bundle the binaries that a recording's samples refer to"},
	{"help", cmd_help, "show the help of a command"},
};

#define N_COMMANDS (sizeof(COMMANDS) / sizeof(COMMANDS[0]))

static void show_usage(FILE *out)
{
	fprintf(out, "Usage: " PROGRAM " COMMAND [OPTION...]\n\n");
	for (size_t i = 0; i < N_COMMANDS; i++)
		fprintf(out, "  %-10s %s\n", COMMANDS[i].name, COMMANDS[i].what);
	fprintf(out, "\n`" PROGRAM " COMMAND -h' shows the options of a command; "
		     "`" PROGRAM " --version' the version.\n");
}

/* Printed if no command is given. */
static void show_first_steps(FILE *out)
{
	fprintf(out,
		"\nTo begin:\n"
		"  " PROGRAM " doctor              what this machine allows, and what is missing\n"
		"  " PROGRAM " record -- COMMAND   record a command into perf.data\n"
		"  " PROGRAM " report              show where the time went\n"
		"  " PROGRAM " timeline            make a page to look at in a browser\n");
}

/* Prints the commands for shell completion (perf's --list-cmds). */
static void list_commands(void)
{
	for (size_t i = 0; i < N_COMMANDS; i++)
		printf("%s\t%s\n", COMMANDS[i].name, COMMANDS[i].what);
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < N_COMMANDS; i++)
		if (!strcmp(COMMANDS[i].name, name))
			return &COMMANDS[i];
	return NULL;
}

/* Returns the number of letters to insert, remove or replace. @a and @b are short. */
static size_t edit_distance(const char *a, const char *b)
{
	size_t row[32], n = strlen(b);

	for (size_t j = 0; j <= n; j++)
		row[j] = j;
	for (size_t i = 1; a[i - 1]; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= n; j++) {
			size_t least = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			least = row[j - 1] + 1 < least ? row[j - 1] + 1 : least;
			row[j] = row[j] + 1 < least ? row[j] + 1 : least;
		}
	}
	return row[n];
}

static const char *similar_command(const char *name)
{
	const char *best = NULL;
	size_t least = 3;

	for (size_t i = 0; i < N_COMMANDS && strlen(name) < 16; i++) {
		size_t distance = edit_distance(name, COMMANDS[i].name);

		if (distance < least && distance < strlen(COMMANDS[i].name)) {
			least = distance;
			best = COMMANDS[i].name;
		}
	}
	return best;
}

static bool is_in(const char *const *names, const char *name)
{
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names;
}

static int unknown_command(const char *name)
{
	/* Commands of perf that read a recording, and other commands. */
	static const char *const READERS[] = {"annotate", "buildid-list", "c2c", "data", "evlist",
		"inject", "kmem", "kvm", "lock", "mem", "sched", "script", "timechart", NULL};
	static const char *const OTHERS[] = {
		"bench", "ftrace", "list", "probe", "stat", "test", "top", "trace", NULL};
	const char *similar = similar_command(name);

	if (is_in(READERS, name))
		cli__fail("unknown command `%s'; perf reads recordings of perfstamp: use `perf %s'",
			name, name);
	else if (is_in(OTHERS, name))
		cli__fail("unknown command `%s'; use `perf %s'", name, name);
	else if (similar)
		cli__fail("unknown command `%s'; did you mean `%s'?", name, similar);
	else
		cli__fail("unknown command `%s'; `" PROGRAM " --help' lists them", name);
	return CLI_USAGE;
}

static int run(const struct command *command, int argc, char **argv)
{
	/* Static, because messages at exit or about missing memory use it, too. */
	static char name[64];

	snprintf(name, sizeof(name), PROGRAM " %s", command->name);
	program_invocation_name = name;
	argv[0] = name;
	return command->run(argc, argv);
}

static int cmd_help(int argc, char **argv)
{
	const struct command *command;
	char help[] = "--help";

	if (argc < 2 || argv[1][0] == '-') {
		show_usage(stdout);
		return CLI_DONE;
	}
	command = find_command(argv[1]);
	program_invocation_name = PROGRAM;
	if (!command)
		return unknown_command(argv[1]);
	return run(command, 2, (char *[]){argv[1], help, NULL});
}

/*
 * Reports errors of standard output: with a full disk, the last flush may fail, and the exit status
 * must not be 0. Runs at every exit, including argp's.
 */
static void close_stdout(void)
{
	int failed = ferror(stdout);

	errno = 0;
	if (!fclose(stdout) && !failed)
		return;
	if (errno)
		fprintf(stderr, "%s: standard output: %s\n", program_invocation_name,
			strerror(errno));
	else
		fprintf(stderr, "%s: standard output: not all of it could be written\n",
			program_invocation_name);
	_exit(CLI_FAILED);
}

/*
 * If a standard descriptor is closed, the next opened file would get its number, and output would
 * be written to that file. So this opens a file there that fails when it is used.
 */
static void occupy_standard_descriptors(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd ? O_RDONLY : O_WRONLY) < 0)
			_exit(CLI_FAILED);
}

int main(int argc, char **argv)
{
	const struct command *command;

	occupy_standard_descriptors();
	program_invocation_name = PROGRAM;
	if (atexit(close_stdout))
		return CLI_FAILED;
	if (argc < 2) {
		show_usage(stderr);
		show_first_steps(stderr);
		return CLI_USAGE;
	}
	if (!strcmp(argv[1], "--list-cmds")) {
		list_commands();
		return CLI_DONE;
	}
	if (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help")) {
		show_usage(stdout);
		return CLI_DONE;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		printf(PROGRAM " " PERFSTAMP_VERSION "\n");
		return CLI_DONE;
	}
	command = find_command(argv[1]);
	if (!command)
		return unknown_command(argv[1]);
	return run(command, argc - 1, argv + 1);
}
