/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copies what is mapped while it is recorded into the store, while it is still there: each
 * identity once, whatever paths and containers show it. All that may wait is done by a
 * process of its own (dso_copier.h); here is known which identities were seen, and what
 * became of each. Does not know files and stores.
 */
#ifndef PERFSTAMP_RECORD_DSO_CAPTURE_H
#define PERFSTAMP_RECORD_DSO_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"
#include "user/base/error.h"
#include "user/event/event.h"
#include "user/record/capture/dso_copier.h"

enum dso_capture_what {
	DSO_CAPTURE_NOTHING,
	DSO_CAPTURE_SYMBOLS,
	DSO_CAPTURE_FULL,
};

struct dso_capture_options {
	enum dso_capture_what what;
	const char *buildid_dir; /* the store; NULL: where perf has it */
	uint64_t room;           /* bytes that all that was captured may take; 0: any */
	uint64_t rate;           /* bytes a second; 0: any */
	uint64_t age_s;          /* what was captured, and not seen for so long, goes; 0: never */
};

struct dso_capture_counts {
	uint64_t n[DSO_OUTCOMES]; /* identities; WAITS and OPENED: not known yet */
	uint64_t bytes;           /* that were copied */
	uint64_t gone;            /* entries of the store that went, for room or by age */
};

struct dso_capture;

/*
 * Starts the process: at best before anything is opened or mapped that is not its business.
 * The events' times are of @clockid. Returns 0 or -errno.
 */
int dso_capture__new(struct dso_capture **ret, const struct dso_capture_options *options,
	int clockid, struct error *err);
/* Ends the process; waits a tenth of a second for one that cannot be killed. */
void dso_capture__free(struct dso_capture *capture);

/* A mapping, with its identity, where it has one: asked for if it is new. Never waits. */
void dso_capture__see(struct dso_capture *capture, const struct event *event);
/* Takes what is done. Never waits. */
void dso_capture__collect(struct dso_capture *capture);
/* Copies all that was seen now; waits while it makes progress, up to half a minute. */
void dso_capture__finish(struct dso_capture *capture);

void dso_capture__count(const struct dso_capture *capture, struct dso_capture_counts *ret);
/* "captured 41 DSOs (12 MB), 3 there already, 2 missed (…)". */
void dso_capture__describe(const struct dso_capture *capture, char *ret, size_t size);
/* The recording's own lines on it (docs/format.md). */
void dso_capture__stamp(const struct dso_capture *capture, struct buffer *out);
/*
 * Why @identity was missed, by the lines of a recording, @stamp: a word of them, and in
 * @ret_text what it means. NULL if they do not say.
 */
const char *dso_capture__why_missed(const void *stamp, size_t size,
	const struct perfstamp_identity *identity, const char **ret_text);

#endif
