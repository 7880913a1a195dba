/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file that a command writes: it is written beside its place and gets its name when it is
 * whole, so that a full disk leaves what was there, and ^C leaves nothing.
 */
#ifndef PERFSTAMP_CLI_NEW_FILE_H
#define PERFSTAMP_CLI_NEW_FILE_H

#include <stdbool.h>

struct new_file {
	const char *path;
	char *part; /* its name until it is whole; NULL: there is none */
	int fd;
	bool force;
};

/*
 * Creates the file, of mode 0600 as recordings have. An existing one is an error without
 * @force. Returns the exit status, after the error's text. Free it in any case.
 */
int new_file__open(struct new_file *file, const char *path, bool force);
/* It is whole: gives it its name. As above. */
int new_file__finish(struct new_file *file);
/* Removes what was not finished. */
void new_file__free(struct new_file *file);

/*
 * For files that are written otherwise: a signal that ends the process removes @part. It is kept
 * by the caller until new_file__forget(), called when the file has its name or is removed.
 */
void new_file__remember(const char *part);
void new_file__forget(const char *part);

#endif
