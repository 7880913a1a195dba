/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a recording goes: a file, or a pipe. Keeps what was there as FILE.old,
 * as perf does.
 */
#ifndef PERFSTAMP_RECORD_OUTPUT_H
#define PERFSTAMP_RECORD_OUTPUT_H

#include <stdbool.h>

#include "user/base/error.h"

struct output {
	int fd;
	bool pipe;        /* standard output, or a FIFO: it cannot be sought */
	bool kept_old;    /* what was there is FILE.old now */
	bool later;       /* nothing is at its name: files are written when they are asked for */
	const char *name; /* the caller's, or "standard output" */
};

/*
 * Opens @path ("-": standard output). A file is made with mode 0600, since it
 * shows what others run. Returns 0, -EINVAL for a terminal, or -errno.
 */
int output__open(struct output *ret, const char *path, struct error *err);
/* The same where files are written later, beside it: nothing is made, or touched. */
int output__open_later(struct output *ret, const char *path, struct error *err);
/*
 * Whether what is at @path may have been put there by another user, who would receive the
 * recording, or have it written elsewhere: in a directory in which everybody can make files, what
 * belongs neither to this process's user nor to the directory's owner, or has a second name.
 */
bool output__is_planted(const char *path);
/* Closes what was opened; an error that only close reports is returned. */
int output__close(struct output *output, struct error *err);
/* After it was closed: a file that has nothing goes, and what existed before is back. */
void output__take_back(const struct output *output);

#endif
