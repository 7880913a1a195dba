/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records the perf map files and jitdumps that processes write about code made at run time,
 * while the processes exist. A separate process does everything that may block
 * (code_reader.h). This keeps the list of followed processes, and what the next file of the
 * recording has to repeat.
 */
#ifndef PERFSTAMP_RECORD_CODE_CAPTURE_H
#define PERFSTAMP_RECORD_CODE_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"
#include "user/base/error.h"
#include "user/event/event.h"
#include "user/record/capture/code_counts.h"
#include "user/source/machine/clock.h"

struct code_capture;

/*
 * Receives an EVENT_CODE, which is valid during the call. Returns 0, or -errno, which ends the call
 * in progress.
 */
typedef int code_capture_fn(void *ctx, const struct event *event);

/*
 * Starts the process. Call it early, before files are opened or mapped that the process does not
 * need. @clock must be valid as long as the result. Returns 0 or -errno.
 */
int code_capture__new(
	struct code_capture **ret, const struct clock_conversion *clock, struct error *err);
void code_capture__free(struct code_capture *capture);
/* Returns a descriptor that becomes readable when there is something to collect. */
int code_capture__fd(const struct code_capture *capture);
/* From now on, the files of live processes are kept for code_capture__synthesize(). */
void code_capture__remember(struct code_capture *capture);

/* Whether the mapped file @path is a jitdump, judged by its name. */
bool code_capture__is_dump(const char *path);
/*
 * Called for each mapping of user space: from then on its process is followed if it may make code.
 */
void code_capture__see(struct code_capture *capture, const struct event *event);
/* Passes new parts to @fn. Never waits. Returns 0 or what @fn returned. */
int code_capture__collect(struct code_capture *capture, code_capture_fn *fn, void *ctx);
/*
 * The same for everything that was written so far. Waits up to some seconds, and ends the process.
 */
int code_capture__finish(struct code_capture *capture, code_capture_fn *fn, void *ctx);
/* Repeats what live processes wrote, for a new file. Returns 0 or what @fn returned. */
int code_capture__synthesize(struct code_capture *capture, code_capture_fn *fn, void *ctx);

void code_capture__count(const struct code_capture *capture, struct code_capture_counts *ret);
/* Writes a sentence on what was missed. Returns false if nothing was missed. */
bool code_capture__warning(const struct code_capture *capture, char *ret, size_t size);
/* Appends the recording's own lines on it (docs/format.md). */
void code_capture__stamp(const struct code_capture *capture, struct buffer *out);

#endif
