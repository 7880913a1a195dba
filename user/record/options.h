/* SPDX-License-Identifier: GPL-2.0-only */
/* The options of a recording. Does not know the recorder. */
#ifndef PERFSTAMP_RECORD_OPTIONS_H
#define PERFSTAMP_RECORD_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/parse/control.h"
#include "user/record/capture/dso_capture.h"
#include "user/record/files/flight.h"
#include "user/record/files/keep.h"
#include "user/record/kernel/kernel_record.h"
#include "user/source/bpf/rung.h"
#include "user/source/perf/options.h"

#define RECORDER_DELAY_FOREVER (-1)

struct stream_reader;
enum switch_when {
	SWITCH_NEVER,
	SWITCH_ON_SIGNAL,
	SWITCH_BY_SIZE,
	SWITCH_BY_TIME,
};

enum recorder_moment {
	RECORDER_BEGUN,  /* all is attached, and the existing state is recorded */
	RECORDER_ROUND,  /* a round has ended */
	RECORDER_ENDING, /* it is about to end */
};

/* Callbacks that report the state of a recording. */
struct recorder_attendant {
	/*
	 * @why it ends is NULL at other moments. Another value than 0, with @err, ends the
	 * recording and is its result.
	 */
	int (*attend)(void *ctx, enum recorder_moment moment, const char *why, struct error *err);
	void *ctx;
	int fd; /* wakes a round when it becomes readable; -1: none */
};

struct recorder_options {
	struct evlist_options events;
	const char *output; /* path, or "-" */
	/* Takes the records instead of an output; or NULL. */
	const struct stream_reader *reader;
	const struct recorder_attendant *attendant; /* or NULL */
	char *const *workload;                      /* NULL-terminated, or NULL */
	int argc;                                   /* the command line, for the header */
	const char *const *argv;
	enum rung best_rung;       /* rungs before this one are not tried */
	int64_t delay_ms;          /* before sampling begins, or RECORDER_DELAY_FOREVER */
	const uint32_t *pauses_ms; /* from the start: when it is paused and resumed, by turns */
	size_t n_pauses;           /* with it, .delay_ms is not RECORDER_DELAY_FOREVER */
	const struct control_spec *control; /* NULL: none */
	enum switch_when switch_when; /* begins the next file; SIGUSR2 does with each but NEVER */
	uint64_t switch_at;           /* bytes, or ns */
	struct flight_bounds
		overwrite;       /* only the last part is written to files, on request; 0: all is */
	uint64_t max_files;      /* complete ones that are kept; 0: all */
	struct keep_budget keep; /* of complete files, those of earlier runs, too */
	uint64_t max_memory;     /* bytes, of what is remembered for a next file; 0: any */
	uint64_t max_bytes;      /* of all files, after which recording ends; 0: none */
	bool timestamp_filename; /* the file gets the time behind its name */
	int compression;         /* level of zstd; 0: none */
	bool no_synth_tasks;     /* leave out what runs already: threads and mappings */
	bool no_synth_maps;      /* of these, the mappings */
	bool tail_synthesize;    /* record all that at the end */
	bool no_synth_cgroups;   /* leave out the paths of all cgroups */
	bool namespaces;         /* of the threads that exist at the start, too */
	bool all_cgroups;        /* paths of all cgroups, and the cgroup of each sample */
	bool verbose;            /* notes on what was tried, too */
	bool no_mmap3;           /* not the kernel's own MMAP3 records, even where it has them */
	bool no_bpf;             /* the kernel's own MMAP2 records */
	bool guard;              /* give up what only an attacker has a use for (helper/guard.h) */
	bool no_code_names;      /* leave out what processes write about code that they make */
	size_t bpf_ring_size;    /* bytes; 0: the default */
	struct kernel_record_options kernel;
	struct dso_capture_options capture;
	/* A sentence on what is done otherwise than asked, when it becomes known. */
	void (*note)(const char *text, void *ctx);
	void *note_ctx;
	/*
	 * SIGHUP calls it, with note_ctx, and does not end the recording. It may change what
	 * is said here of when files are switched, which are kept, and .max_memory; but not
	 * whether files are switched at all. NULL: SIGHUP ends it.
	 */
	void (*reload)(void *ctx);
};

#endif
