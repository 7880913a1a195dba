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
	RECORDER_BEGUN,  /* attached, and the existing state is recorded */
	RECORDER_ROUND,  /* a round has ended */
	RECORDER_ENDING, /* it is about to end */
};

/* Callbacks that report the state of a recording. */
struct recorder_attendant {
	/*
	 * @why is the reason for the end, or NULL at other moments. A non-zero result, with @err,
	 * ends the recording and is its result.
	 */
	int (*attend)(void *ctx, enum recorder_moment moment, const char *why, struct error *err);
	void *ctx;
	int fd; /* a round begins when it becomes readable; -1: none */
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
	enum rung best_rung; /* the first rung to try */
	int64_t delay_ms;    /* until sampling begins, or RECORDER_DELAY_FOREVER */
	/* times from the start at which sampling is paused and resumed in turn */
	const uint32_t *pauses_ms;
	size_t n_pauses;                    /* with it, .delay_ms is not RECORDER_DELAY_FOREVER */
	const struct control_spec *control; /* NULL: none */
	/* when the next file begins; SIGUSR2 begins it for all but NEVER */
	enum switch_when switch_when;
	uint64_t switch_at; /* bytes, or ns */
	struct flight_bounds
		overwrite;       /* only the last part is written, on request; 0: everything */
	uint64_t max_files;      /* limit of complete files that are kept; 0: none */
	struct keep_budget keep; /* limits for complete files, including those of earlier runs */
	uint64_t max_memory;     /* limit in bytes of the state kept for a next file; 0: none */
	uint64_t max_bytes;      /* bytes of all files after which recording ends; 0: no limit */
	bool timestamp_filename; /* append the time to the name of the file */
	int compression;         /* level of zstd; 0: none */
	bool no_synth_tasks;     /* omit existing threads and mappings */
	bool no_synth_maps;      /* omit existing mappings */
	bool tail_synthesize;    /* record existing state at the end */
	bool no_synth_cgroups;   /* omit the paths of existing cgroups */
	bool namespaces;         /* also of the threads that exist at the start */
	bool all_cgroups;        /* record paths of all cgroups, and the cgroup of each sample */
	bool verbose;            /* also report what was tried */
	bool no_mmap3;           /* do not use the kernel's own MMAP3 records */
	bool no_bpf;             /* use the kernel's own MMAP2 records */
	bool guard;              /* drop what only an attacker would need (helper/guard.h) */
	bool no_code_names;      /* do not record map files and jitdumps */
	size_t bpf_ring_size;    /* bytes; 0: the default */
	struct kernel_record_options kernel;
	struct dso_capture_options capture;
	/* Receives a sentence about each deviation from the options. */
	void (*note)(const char *text, void *ctx);
	void *note_ctx;
	/*
	 * Called with note_ctx on SIGHUP, which then does not end the recording. It may change
	 * .max_memory, and the members above that decide when files are switched and which files
	 * are kept. It must not change whether files are switched at all. NULL: SIGHUP ends the
	 * recording.
	 */
	void (*reload)(void *ctx);
};

#endif
