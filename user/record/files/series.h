/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of a recording that is written in several, as perf names them: the one that is
 * being written has the output's name, and those that are complete have the time of their
 * end behind it, FILE.YYYYMMDDHHMMSSff, so that names sort by time. A next file appears
 * when it can be read, not before. Does not know what is in them.
 */
#ifndef PERFSTAMP_RECORD_SERIES_H
#define PERFSTAMP_RECORD_SERIES_H

#include <stddef.h>

#include "user/base/error.h"

struct series;

/* @path, which must outlive it, is the output. Returns 0 or -errno. */
int series__new(struct series **ret, const char *path, struct error *err);
void series__free(struct series *series);

/*
 * Gives what is at the output its name; *@ret_name is valid until the next call. No two
 * have the same one, and none sorts before an earlier one, whatever becomes of the clock.
 * Returns 0 or -errno.
 */
int series__put_away(struct series *series, const char **ret_name, struct error *err);

/* The same with the next file, which was never shown at the output. */
int series__put_next_away(struct series *series, const char **ret_name, struct error *err);

/*
 * The same with what an earlier recorder has left at the output, by the time at which it
 * was last written to: before all that this one puts away, and not one of them.
 */
int series__put_left_away(struct series *series, const char **ret_name, struct error *err);

/* The path of the last one that was put away; NULL: none was. */
const char *series__last(const struct series *series);

/* Makes the next file, which has no visible name yet. Returns 0 or -errno. */
int series__make_next(struct series *series, int *ret_fd, struct error *err);
/* It can be read: now it is the output. Returns 0 or -errno. */
int series__show_next(struct series *series, struct error *err);

/* It is not to be. */
void series__drop_next(const struct series *series);

/* Of those put away, in their order: how many there are, and the removal of the oldest. */
size_t series__n(const struct series *series);
int series__remove_oldest(struct series *series, struct error *err);

#endif
