/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a recording, or one file of it, has counted: sums that are printed at the end and stand
 * in the file's header. Does not know its callers.
 */
#ifndef PERFSTAMP_RECORD_SUMMARY_H
#define PERFSTAMP_RECORD_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/perfdata/features/counters.h"
#include "user/record/capture/code_capture.h"
#include "user/record/capture/dso_capture.h"
#include "user/record/kernel/bpf_record.h"
#include "user/record/kernel/kernel_record.h"
#include "user/record/kernel/module_writer.h"
#include "user/record/rounds/losses.h"

/* The rungs without BPF: see recorder_options.no_mmap3 and .no_bpf. */
#define RECORDER_RUNG_MMAP3 "MMAP3"
#define RECORDER_RUNG_MMAP2 "MMAP2"

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
	uint64_t files;           /* complete ones that were put away under their own names */
	uint64_t removed;         /* of these */
	struct counters counters; /* of the file, or of all */
	uint64_t cpu_used_ns; /* by what is recorded while it was sampled; 0: not counted, since */
	uint64_t cpu_covered_ns; /* nothing is under-sampled; of that, what the samples stand for */
	const struct loss_span *loss_spans; /* what was lost when; the recorder's */
	size_t n_loss_spans;
	const struct loss_owners *loss_owners; /* whose map records were lost; the recorder's */
	int workload_status;                   /* as a shell reports it; 0 without a workload */
};

#endif
