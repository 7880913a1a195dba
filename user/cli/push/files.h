/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the files to send: those that were named, and in directories those that record
 * --switch-output has completed. Knows names, not contents.
 */
#ifndef PERFSTAMP_CLI_PUSH_FILES_H
#define PERFSTAMP_CLI_PUSH_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "user/base/error.h"
#include "user/cli/input.h"
#include "user/store/files/digest.h"

struct push_file {
	char *path;
	struct stat st; /* for a recording that is a directory: of DIR/data */
	bool named;     /* the user named the file itself */
};

struct push_files {
	/*
	 * Files of a directory are sorted by the time in their names. Named files keep their order.
	 */
	struct push_file *v;
	size_t n;
	size_t room;
	int failed;       /* -errno of the first path that could not be examined; 0: none */
	struct error why; /* the text of this error */
};

/*
 * Lists the files that currently exist at @paths. *@ret is zeroed or the result of an earlier call.
 * Skips paths that cannot be examined: see .failed. Returns 0 or -ENOMEM with text.
 */
int push_files__find(struct push_files *ret, char *const *paths, size_t n_paths, struct error *err);
void push_files__free(struct push_files *files);

/*
 * Computes the SHA-256 of the file, which is complete and does not change. Returns as
 * push_file__read.
 */
int push_file__digest(const struct push_file *file, uint8_t ret[DIGEST_SIZE], struct error *err);

/*
 * Reads the file into the model, with @tap or NULL. A file that was named has to be closed
 * properly, unless @force. Returns 0; -EBADMSG if it can never be read; -ENOENT if it no longer
 * exists; -ENODATA if this machine cannot read it now; or -ENOMEM. All errors have a text. The
 * caller frees @ret in any case.
 */
int push_file__read(const struct push_file *file, const struct input_tap *tap, bool force,
	struct input *ret, struct error *err);

#endif
