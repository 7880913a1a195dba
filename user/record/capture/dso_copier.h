/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The process that copies mapped files to the store (dso_capture.h). It opens a requested
 * file at once, since the mapping may be gone a millisecond later. Child processes copy the
 * files at the lowest priority: one for each file, with limits of time and memory, since
 * libelf may loop or crash on a file. Any of them may wait for a disk or a server without
 * end, but never the recorder.
 */
#ifndef PERFSTAMP_RECORD_DSO_COPIER_H
#define PERFSTAMP_RECORD_DSO_COPIER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "perfstamp/record.h"

/* Limit of requests that are sent without waiting for DSO_OPENED. */
#define DSO_OPEN_MAX 512

/* The result for one identity. */
enum dso_outcome {
	DSO_WAITS,
	DSO_OPENED, /* the file is open, and waits to be copied */
	DSO_CAPTURED,
	DSO_HAD, /* the store had it already */
	/* The content was missed: */
	DSO_GONE,       /* the mapping was gone, and the file is not at its path */
	DSO_CHANGED,    /* written to since, or just before */
	DSO_REFUSED,    /* not permitted */
	DSO_TOO_LARGE,  /* larger than the limit */
	DSO_UNREADABLE, /* an I/O error, or the child crashed */
	DSO_UNSTORED,   /* the store cannot be written to */
	DSO_UNANSWERED, /* its file system does not answer */
	DSO_CROWDED,    /* too many were waiting */
	DSO_UNFINISHED, /* the recording ended first */
	DSO_OUTCOMES,
};

struct dso_request {
	uint64_t token;
	uint64_t addr;
	uint64_t len;
	int64_t mapped_ns; /* CLOCK_REALTIME; 0: no more requests follow */
	struct perfstamp_identity identity;
	struct perfstamp_witness witness; /* from the time of the mapping, if there is one */
	uint64_t owner;                   /* owner of the file in the store (cache.h) */
	uint32_t turns_of;                /* owner in whose turns it is copied, see fair.h */
	pid_t pid;
	char path[PATH_MAX]; /* sent up to its NUL */
};

struct dso_answer {
	uint64_t token;
	uint64_t bytes; /* CAPTURED: bytes of the copy */
	uint32_t gone;  /* number of entries removed for space or by age */
	uint32_t outcome;
};

struct dso_copier_options {
	const char *store;
	bool symbols;
	uint64_t room; /* limit of all captured files in bytes; 0: none */
	uint64_t rate; /* bytes a second; 0: unlimited */
	/*
	 * Captured files that were not seen for this long are removed; 0: never. Files seen
	 * since .begun_s are kept, because they may still be mapped.
	 */
	uint64_t age_s;
	int64_t begun_s; /* CLOCK_REALTIME */
};

/* Nanoseconds after which old files are searched again, and seen files are marked again. */
uint64_t dso_copier__again_ns(const struct dso_copier_options *options);

/* As helper_options.run: serves the socket @fd until it is closed. @ctx is a dso_copier_options. */
void dso_copier__run(void *ctx, int fd) __attribute__((noreturn));

#endif
