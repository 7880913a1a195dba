/* SPDX-License-Identifier: GPL-2.0-only */
/* perfstamp check --repair, and the output of extract and inject: opens the files, and copies. */
#ifndef PERFSTAMP_CLI_REPAIR_H
#define PERFSTAMP_CLI_REPAIR_H

#include <stdbool.h>

#include "user/perfdata/repair/repair.h"

/*
 * Writes a repaired copy of @in ("-" is standard input, if it is a file) to @out, and a summary to
 * standard output. @out gets its name when it is complete. It replaces an existing file only with
 * @force, and never the input. Prints errors and returns the exit status.
 */
int cli__repair(const char *in, const char *out, bool force, bool json);
struct cli_input_choice {
	const char *path;                   /* "-" is standard input, if it is a file */
	const struct repair_choice *choice; /* NULL: copies everything */
};

/*
 * Copies the chosen records of @n inputs to one file. Does not print the summary, but stores it in
 * *@ret. The caller frees *@ret in any case.
 */
int cli__copy(const struct cli_input_choice *inputs, size_t n, const char *out, bool force,
	struct repair *ret);

#endif
