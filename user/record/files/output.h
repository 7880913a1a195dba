/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The output of a recording: a file or a pipe. Renames an existing file to FILE.old, as
 * perf does.
 */
#ifndef PERFSTAMP_RECORD_OUTPUT_H
#define PERFSTAMP_RECORD_OUTPUT_H

#include <stdbool.h>

#include "user/base/error.h"

struct output {
	int fd;
	bool pipe;        /* standard output or a FIFO, which is not seekable */
	bool kept_old;    /* the previous file was renamed to FILE.old */
	bool later;       /* no file is created: files are written on request */
	const char *name; /* as the caller named it, or "standard output" */
};

/*
 * Opens @path ("-": standard output). A file is created with mode 0600, because it shows what other
 * users run. Waits until a FIFO has a reader. Returns 0, -EINVAL for a terminal, -EINTR if SIGINT
 * or SIGTERM, which the caller blocks, is pending before that, or -errno.
 */
int output__open(struct output *ret, const char *path, struct error *err);
/* The same if files are written later, with other names: creates and changes nothing. */
int output__open_later(struct output *ret, const char *path, struct error *err);
/*
 * Whether another user may have created the file at @path, to receive the recording or to
 * redirect it: in a directory in which everybody can create files, the file belongs neither
 * to this process's user nor to the directory's owner, or has several links.
 */
bool output__is_planted(const char *path);
/* Closes the output. Returns the error, if only close reports it. */
int output__close(struct output *output, struct error *err);
/* Called after closing: removes an empty file, and restores the previous one. */
void output__take_back(const struct output *output);

#endif
