/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the files from which the symbols of a recording are read: in the cache, and in the
 * recording itself.
 */
#ifndef PERFSTAMP_CLI_PROFILE_FILES_H
#define PERFSTAMP_CLI_PROFILE_FILES_H

#include <stdbool.h>

#include "user/base/error.h"
#include "user/cli/profile/options.h"
#include "user/symbols/query.h"

struct symbol_files {
	/* Only the fields about files; the caller sets the others. */
	struct symbols_options symbols;
	char *store;
	char *embedded; /* directory with the contents of the recording itself; NULL: none */
	char *kallsyms; /* kallsyms of a recording that is a directory; or NULL */
};

/*
 * Finds the files for the recording @path, which may be a directory. Uses servers only if the
 * environment names them. Prints warnings. Returns 0, or -ENOMEM with text. The caller frees @ret
 * in either case.
 */
int symbol_files__find(struct symbol_files *ret, const char *path, const struct symbol_conf *conf,
	bool directory, struct error *err);
/*
 * Also removes the unpacked contents, which can be large: call this when all has been read, and
 * before writing, which may wait for a pager. A second call does nothing.
 */
void symbol_files__free(struct symbol_files *files);

#endif
