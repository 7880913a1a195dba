/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording in several files: when the next one begins, and how. Each stands alone:
 * it begins with what is alive, from memory, and a sample is in one of them. A part of
 * the recorder, as prepare.c is.
 */
#ifndef PERFSTAMP_RECORD_ROTATION_H
#define PERFSTAMP_RECORD_ROTATION_H

#include <stdbool.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/record/summary.h"

struct recorder;
struct rotation;

/*
 * Before the recorder's output is opened: a file of a recording in several that an earlier
 * recorder could not put away, since it was killed, gets its own name. Returns 0 or -errno.
 */
int rotation__put_left_away(struct recorder *recorder, struct error *err);

/* The recorder's output is open and its writer begun. Returns 0 or -errno. */
int rotation__new(struct rotation **ret, struct recorder *recorder, struct error *err);
void rotation__free(struct rotation *rotation);

/* The next file was asked for, by a signal or a command. */
void rotation__ask(struct rotation *rotation);
/* It was, and has not begun. */
bool rotation__is_asked(const struct rotation *rotation);
/* Between two rounds: begins the next file, where it is time. Returns 0 or -errno. */
int rotation__run(struct rotation *rotation, struct error *err);
/*
 * After an error @code, described in @why: where it was the output that failed, recording goes
 * on without a file, and each second tries to begin one. 0, or @code where it cannot.
 */
int rotation__survive(struct rotation *rotation, int code, struct error *why);
/* Milliseconds until it is, or -1: it is not time that decides. */
int rotation__wait_ms(const struct rotation *rotation);

/* The last file is complete and closed: it gets its name. Returns 0 or -errno. */
int rotation__end(struct rotation *rotation, struct error *err);

/* With --overwrite, at the end: writes the last part, without a request. Returns 0 or -errno. */
int rotation__write_last(struct rotation *rotation, struct error *err);

/*
 * What the file that is written now holds of the sums in @sums, which are the
 * recording's; and the sums of the files before it added to @sums, which are its own.
 */
void rotation__file_summary(const struct rotation *rotation, struct recorder_summary *sums);
/* The path of the newest complete file; NULL: there is none. */
const char *rotation__newest(const struct rotation *rotation);
void rotation__add_files(const struct rotation *rotation, struct recorder_summary *sums);

#endif
