/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording in several files: when and how the next one begins. Each can be read by
 * itself: it begins with the current state, from memory, and each sample is in one file. A
 * part of the recorder, as prepare.c is.
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
 * Called before the output is opened: renames the file that a killed recorder left under
 * the output's name. Returns 0 or -errno.
 */
int rotation__put_left_away(struct recorder *recorder, struct error *err);

/* Called after the recorder's output is open and its writer has begun. Returns 0 or -errno. */
int rotation__new(struct rotation **ret, struct recorder *recorder, struct error *err);
void rotation__free(struct rotation *rotation);

/* Requests the next file, because of a signal or a command. */
void rotation__ask(struct rotation *rotation);
/* Whether the next file was requested and has not begun yet. */
bool rotation__is_asked(const struct rotation *rotation);
/* Called between two rounds: begins the next file if it is due. Returns 0 or -errno. */
int rotation__run(struct rotation *rotation, struct error *err);
/*
 * After an error @code, described in @why: if the output failed, recording continues
 * without a file, and tries each second to begin one. Returns 0, or @code if it cannot
 * continue.
 */
int rotation__survive(struct rotation *rotation, int code, struct error *why);
/* Milliseconds until the next file is due, or -1 if time does not decide this. */
int rotation__wait_ms(const struct rotation *rotation);

/* Renames the last file, which is complete and closed. Returns 0 or -errno. */
int rotation__end(struct rotation *rotation, struct error *err);

/* With --overwrite, at the end: writes the last part, without a request. Returns 0 or -errno. */
int rotation__write_last(struct rotation *rotation, struct error *err);

/*
 * The first converts @sums of the recording to those of the current file. The second adds the sums
 * of the files before it to @sums of the current file.
 */
void rotation__file_summary(const struct rotation *rotation, struct recorder_summary *sums);
/* Returns the path of the newest complete file; NULL: there is none. */
const char *rotation__newest(const struct rotation *rotation);
void rotation__add_files(const struct rotation *rotation, struct recorder_summary *sums);

#endif
