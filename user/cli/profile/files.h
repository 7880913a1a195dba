/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The places of files from which the symbols of a recording are read: the cache, and the
 * recording itself.
 */
#ifndef PERFSTAMP_CLI_PROFILE_FILES_H
#define PERFSTAMP_CLI_PROFILE_FILES_H

#include <stdbool.h>

#include "user/base/error.h"
#include "user/cli/profile/options.h"
#include "user/symbols/query.h"

struct symbol_files {
	struct symbols_options symbols; /* what is not about files is the caller's to set */
	char *store;
	char *embedded; /* the store of what is in the recording itself; NULL: nothing is */
	char *kallsyms; /* of the kernel, in a recording that is a directory; or NULL */
};

/*
 * Finds the files for the recording @path, which may be a directory. Servers are asked only if the
 * environment names any. Prints warnings. Returns 0, or -ENOMEM with text; free it in either case.
 */
int symbol_files__find(struct symbol_files *ret, const char *path, const struct symbol_conf *conf,
	bool directory, struct error *err);
void symbol_files__free(struct symbol_files *files);

#endif
