/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An output file of a command. It is written to a temporary name and renamed when it is
 * complete, so that a full disk keeps the existing file, and ^C leaves nothing.
 */
#ifndef PERFSTAMP_CLI_NEW_FILE_H
#define PERFSTAMP_CLI_NEW_FILE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct new_file {
	const char *path;
	char *part; /* its name until it is complete; NULL: not created */
	int fd;
	bool force;
};

/*
 * Creates the file, of mode 0600 as recordings have. An existing one is an error without
 * @force. Returns the exit status, after the error's text. Free it in any case.
 */
int new_file__open(struct new_file *file, const char *path, bool force);
/* Gives the complete file its name. Returns as above. */
int new_file__finish(struct new_file *file);
/* Removes what was not finished. */
void new_file__free(struct new_file *file);

/*
 * Writes with @write, which returns 0 or -ENOMEM: to standard output if @path is "-", whose
 * errors are reported at the program's end; to an existing device, pipe or target of a
 * link; or otherwise to a new file with @mode, as for open(2), which replaces an existing
 * one. Returns the exit status, after the error's text.
 */
int new_file__write(const char *path, mode_t mode, int (*write)(void *ctx, FILE *out), void *ctx);

#endif
