/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What has been sent to one receiver: a file of lines, which survives a kill at any moment. The
 * recordings themselves are what is still to be sent. Knows files by inode, size and time of
 * modification, so that renaming does not matter; knows neither receivers nor recordings.
 */
#ifndef PERFSTAMP_PUSH_SPOOL_H
#define PERFSTAMP_PUSH_SPOOL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "user/base/error.h"

struct spool;

enum spool_state {
	SPOOL_UNKNOWN,
	SPOOL_SEEN,    /* it is to be sent */
	SPOOL_SENT,    /* the receiver has confirmed it */
	SPOOL_REFUSED, /* it cannot be read, or the receiver will never take it */
};

/*
 * Opens and locks the file @path; creates it and its directory if they do not exist.
 * Returns 0; -EBUSY with text if another process has locked it; or -errno with text.
 */
int spool__open(struct spool **ret, const char *path, struct error *err);
void spool__free(struct spool *spool);

enum spool_state spool__state(const struct spool *spool, const struct stat *st);
/*
 * Sets the state of a file, with its @name for people who read the spool. SENT and REFUSED
 * are on disk when it returns. Returns 0 or -errno with text.
 */
int spool__set(struct spool *spool, const struct stat *st, const char *name, enum spool_state state,
	struct error *err);

/*
 * For each scan of the directories: begin, then is_there for each file that exists, then end,
 * which forgets all other files. end returns how many of those had been seen but not sent, or
 * -errno with text.
 */
void spool__begin_look(struct spool *spool);
void spool__is_there(struct spool *spool, const struct stat *st);
int64_t spool__end_look(struct spool *spool, struct error *err);
/* How many files were gone before they were sent, since the spool was created. */
uint64_t spool__missed(const struct spool *spool);

#endif
