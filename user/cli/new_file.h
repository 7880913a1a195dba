/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An output file of a command. It has a temporary name until it is complete. So a full disk does
 * not harm an existing file, and ^C leaves no file.
 */
#ifndef PERFSTAMP_CLI_NEW_FILE_H
#define PERFSTAMP_CLI_NEW_FILE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct new_file {
	const char *path;
	char *part; /* its temporary name; NULL: not created */
	int fd;
	bool force;
};

/*
 * Creates the file with mode 0600, like recordings. An existing file is an error without @force.
 * Prints errors and returns the exit status. The caller frees @file in any case.
 */
int new_file__open(struct new_file *file, const char *path, bool force);
/* Renames the complete file. Returns as above. */
int new_file__finish(struct new_file *file);
/* Removes the file if it is not complete. */
void new_file__free(struct new_file *file);

/*
 * Writes with @write, which returns 0 or -ENOMEM. "-" is standard output, whose errors are reported
 * at exit. An existing device or pipe is written in place. Otherwise, a new file with @mode, as in
 * open(2), replaces an existing one; if @path is a symbolic link, the file that it leads to. Links
 * and pipes that another user may have planted are refused. Prints errors and returns the exit
 * status.
 */
int new_file__write(const char *path, mode_t mode, int (*write)(void *ctx, FILE *out), void *ctx);

#endif
