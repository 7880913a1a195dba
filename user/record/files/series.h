/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of a recording that is written in several, as perf names them: the file being
 * written has the output's name, and complete files have the time of their end appended,
 * FILE.YYYYMMDDHHMMSSff, so that names sort by time. The next file appears only when it can
 * be read. Does not know their content.
 */
#ifndef PERFSTAMP_RECORD_SERIES_H
#define PERFSTAMP_RECORD_SERIES_H

#include <stddef.h>

#include "user/base/error.h"

struct series;

/* The output is @path, which must be valid as long as the result. Returns 0 or -errno. */
int series__new(struct series **ret, const char *path, struct error *err);
void series__free(struct series *series);

/*
 * Renames the file at the output; *@ret_name is valid until the next call. Names are
 * unique, and always sort after earlier ones, even if the clock is set back. Returns 0 or
 * -errno.
 */
int series__put_away(struct series *series, const char **ret_name, struct error *err);

/* The same for the next file, which never had the output's name. */
int series__put_next_away(struct series *series, const char **ret_name, struct error *err);

/*
 * The same for a file that an earlier recorder left at the output, by its modification
 * time. Called before this recorder renames its first file; such a file does not count as
 * one of this recording.
 */
int series__put_left_away(struct series *series, const char **ret_name, struct error *err);

/* The path of the last renamed file, or NULL. */
const char *series__last(const struct series *series);

/* Creates the next file, which has no visible name yet. Returns 0 or -errno. */
int series__make_next(struct series *series, int *ret_fd, struct error *err);
/* Gives the next file, which can be read now, the output's name. Returns 0 or -errno. */
int series__show_next(struct series *series, struct error *err);

/* Removes the next file. */
void series__drop_next(const struct series *series);

/* Return the number of renamed files, and remove the oldest one. */
size_t series__n(const struct series *series);
int series__remove_oldest(struct series *series, struct error *err);

#endif
