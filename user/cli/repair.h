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
/*
 * The same of what @choice keeps, without the account, which is in *@ret. Free *@ret in
 * any case.
 */
int cli__copy(const char *in, const char *out, const struct repair_choice *choice, bool force,
	struct repair *ret);

#endif
