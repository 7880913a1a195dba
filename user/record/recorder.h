/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One recording, from the first event opened to the file closed: opens events
 * and BPF programs, takes the snapshot, and then goes in rounds: drain, complete,
 * write, checkpoint. Prints nothing; what the user should know comes as notes
 * and a summary.
 */
#ifndef PERFSTAMP_RECORD_RECORDER_H
#define PERFSTAMP_RECORD_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/parse/control.h"
#include "user/record/kernel/bpf_record.h"
#include "user/record/capture/code_capture.h"
#include "user/record/capture/dso_capture.h"
#include "user/record/files/flight.h"
#include "user/record/files/keep.h"
#include "user/record/kernel/kernel_record.h"
#include "user/record/losses.h"
#include "user/record/kernel/module_writer.h"
#include "user/source/bpf/bpf.h"
#include "user/source/perf/event.h"

#define RECORDER_DELAY_FOREVER (-1)

/* The rungs without BPF: see recorder_options.no_mmap3 and .no_bpf. */
#define RECORDER_RUNG_MMAP3 "MMAP3"
#define RECORDER_RUNG_MMAP2 "MMAP2"

struct stream_reader;
enum switch_when {
	SWITCH_NEVER,
	SWITCH_ON_SIGNAL,
	SWITCH_BY_SIZE,
	SWITCH_BY_TIME,
};

enum recorder_moment {
	RECORDER_BEGUN,  /* all is attached, and what was there is told */
	RECORDER_ROUND,  /* a round has ended */
	RECORDER_ENDING, /* it is about to end */
};

/* Who is to know how a recording is doing. */
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
	/* Takes what is recorded, and there is no output; NULL: nobody. */
	const struct stream_reader *reader;
	const struct recorder_attendant *attendant; /* NULL: nobody */
	char *const *workload;                      /* NULL-terminated, or NULL */
	int argc;                                   /* the command line, for the header */
	const char *const *argv;
	enum rung best_rung;                /* rungs before this one are not tried */
	int64_t delay_ms;                   /* before sampling begins, or RECORDER_DELAY_FOREVER */
	const struct control_spec *control; /* NULL: none */
	enum switch_when switch_when; /* begins the next file; SIGUSR2 does with each but NEVER */
	uint64_t switch_at;           /* bytes, or ns */
	struct flight_bounds
		overwrite;       /* only the last part goes to files, when asked; 0: all does */
	uint64_t max_files;      /* complete ones that are kept; 0: all */
	struct keep_budget keep; /* of complete files, those of earlier runs, too */
	uint64_t max_memory;     /* bytes, of what is remembered for a next file; 0: any */
	uint64_t max_bytes;      /* of all files, after which recording ends; 0: none */
	bool timestamp_filename; /* the file gets the time behind its name */
	int compression;         /* level of zstd; 0: none */
	bool no_synth_tasks;     /* leave out what runs already: threads and mappings */
	bool no_synth_maps;      /* of these, the mappings */
	bool tail_synthesize;    /* tell of all that at the end */
	bool no_synth_cgroups;   /* leave out the paths of all cgroups */
	bool namespaces;         /* of the threads that exist at the start, too */
	bool all_cgroups;        /* paths of all cgroups, and the cgroup of each sample */
	bool verbose;            /* notes on what was tried, too */
	bool no_mmap3;           /* not the kernel's own MMAP3 records, even where it has them */
	bool no_bpf;             /* the kernel's own MMAP2 records */
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

/* Of one file of several. */
struct recorder_file {
	uint64_t number;         /* from 1; 0: it is the only one */
	uint64_t begin_ns;       /* no sample is earlier, in the samples' clock; 0: the first */
	uint64_t repeated_bytes; /* that it begins with, of what was before */
	uint64_t overwritten;    /* samples before it that are in none (--overwrite) */
	uint64_t no_file;        /* samples that are in none, since there was no room for one */
	uint64_t seam_ns;        /* in which nothing was drained, before it */
};

struct recorder_summary {
	struct recorder_file file;
	const struct kernel_record *kernel; /* the recorder's */
	const struct cpu_time *cpu_time;    /* the same */
	const struct dso_capture *capture;  /* the same; NULL: nothing is captured */
	const struct code_capture *code;    /* the same */
	const char *rung;                   /* "MMAP3", "kprobe.multi" … "sys_exit", or "MMAP2" */
	const char *output; /* NULL: there is none, since the workload could not be executed */
	/* The file, or the newest of several, by its own name. NULL: none, or a pipe. */
	const char *newest;
	bool pipe;
	uint64_t bytes;   /* of the file, or of all that were written */
	uint64_t files;   /* complete ones that were put away under their own names */
	uint64_t removed; /* of these */
	uint64_t samples;
	uint64_t maps;       /* executable mappings of user space */
	uint64_t identified; /* of these, with a build-id */
	uint64_t cookies;    /* of these, with a cookie instead */
	uint64_t anonymous;  /* of these, with no file behind */
	uint64_t completed;  /* of the identified, in user space */
	uint64_t late;       /* identities that came after the mapping's own record */
	uint64_t dsos;
	uint64_t lost_samples; /* samples and other records of the perf rings */
	uint64_t cpus_back;    /* how often one was off-line, and what it did lost */
	struct bpf_losses bpf; /* of map records */
	uint64_t unfollowed;   /* children and threads of what is recorded that could not be */
	uint64_t unnamed;      /* tasks that readers may know by their number only */
	uint64_t cpu_used_ns;  /* by what is recorded while it was sampled; 0: not counted, since */
	uint64_t cpu_covered_ns; /* nothing is under-sampled; of that, what the samples stand for */
	struct bpf_identities identities;   /* that the kernel side came by; of MMAP2 0 */
	const struct loss_span *loss_spans; /* what was lost when; the recorder's */
	size_t n_loss_spans;
	struct module_counts modules; /* seen to come and go */
	struct bpf_record_counts programs;
	uint64_t snapshots;    /* taken again after a loss */
	double perf_ring_fill; /* of the fullest, when it was last emptied, 0 to 1 */
	double bpf_ring_fill;  /* the same */
	int workload_status;   /* as a shell would tell it; 0 without a workload */
};

struct recorder;

void recorder_options__init(struct recorder_options *options);

/*
 * Makes everything ready and, last, the output; nothing is sampled yet. @options
 * must outlive the recorder. From here until recorder__free SIGINT, SIGTERM,
 * SIGHUP, SIGPIPE and SIGXFSZ are the recorder's. Returns 0 or -errno.
 */
int recorder__new(struct recorder **ret, const struct recorder_options *options, struct error *err);
void recorder__free(struct recorder *recorder);

/*
 * Records until the workload or all targets have ended or a signal comes, and
 * completes the file. On an error what was recorded is kept and the file is
 * valid. A second SIGINT or SIGTERM ends the process at once; the file is valid
 * up to the last round. Returns 0 or -errno.
 */
int recorder__run(struct recorder *recorder, struct error *err);

void recorder__summary(const struct recorder *recorder, struct recorder_summary *ret);

#endif
