/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Remembers what has been sent to one receiver, in a file of lines that survives a kill at any
 * moment. The recordings themselves are the queue of what has to be sent. Knows files by inode,
 * size and modification time, so that they may be renamed; knows neither receivers nor recordings.
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
	SPOOL_SEEN,    /* not sent yet */
	SPOOL_SENT,    /* the receiver has confirmed it */
	SPOOL_REFUSED, /* unreadable, or the receiver will never accept it */
};

/*
 * Opens and locks the file @path; creates it and its directory if they do not exist.
 * Returns 0; -EBUSY with text if another process has locked it; or -errno with text.
 */
int spool__open(struct spool **ret, const char *path, struct error *err);
void spool__free(struct spool *spool);

enum spool_state spool__state(const struct spool *spool, const struct stat *st);
/*
 * Sets the state of a file. @name is for people who read the spool. The states SENT and REFUSED are
 * on disk when this returns. Returns 0 or -errno with text.
 */
int spool__set(struct spool *spool, const struct stat *st, const char *name, enum spool_state state,
	struct error *err);

/*
 * For each scan of the directories: call begin, then is_there for each file that exists, then end,
 * which removes all other files from the spool. end returns the number of removed files that had
 * not been sent, or -errno with text.
 */
void spool__begin_look(struct spool *spool);
void spool__is_there(struct spool *spool, const struct stat *st);
int64_t spool__end_look(struct spool *spool, struct error *err);
/* Returns how many files disappeared before they were sent, since the spool was created. */
uint64_t spool__missed(const struct spool *spool);

#endif
