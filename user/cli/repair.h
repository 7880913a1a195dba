/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perfstamp check --repair, and the file that extract writes: the files, and the copy.
 */
#ifndef PERFSTAMP_CLI_REPAIR_H
#define PERFSTAMP_CLI_REPAIR_H

#include <stdbool.h>

#include "user/perfdata/repair/repair.h"

/*
 * Writes a clean copy of @in ("-" is standard input, if it is a file) to @out,
 * and the account to standard output. @out is complete or not there: it gets its
 * name at the end. An existing one is replaced with @force only, and never where
 * it is the input itself. Returns the exit status, after the error's text.
 */
int cli__repair(const char *in, const char *out, bool force, bool json);
struct cli_input_choice {
	const char *path;                   /* "-" is standard input, if it is a file */
	const struct repair_choice *choice; /* NULL: everything is copied */
};

/*
 * The same of what is chosen of @n inputs, which become one file, without the account, which
 * is in *@ret. Free *@ret in any case.
 */
int cli__copy(const struct cli_input_choice *inputs, size_t n, const char *out, bool force,
	struct repair *ret);

#endif
