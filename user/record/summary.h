/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counts of a recording, or of one of its files: printed at the end, and written to the file's
 * header. Does not know its callers.
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

/* One of several files. */
struct recorder_file {
	uint64_t number; /* from 1; 0: the only file */
	/* no sample is earlier, in the samples' clock; 0: the first file */
	uint64_t begin_ns;
	uint64_t repeated_bytes; /* bytes of the state with which it begins */
	uint64_t overwritten;    /* earlier samples that are in no file (--overwrite) */
	uint64_t no_file;        /* samples that are in no file, because none could be written */
	uint64_t seam_ns;        /* time before the file in which nothing was drained */
};

struct recorder_summary {
	struct recorder_file file;
	const struct kernel_record *kernel; /* owned by the recorder, like the next three */
	const struct cpu_time *cpu_time;    /* the same */
	const struct dso_capture *capture;  /* NULL: nothing is captured */
	const struct code_capture *code;    /* the same */
	const char *rung;                   /* "MMAP3", "kprobe.multi" … "sys_exit", or "MMAP2" */
	/* NULL: there is no output, because the workload could not be executed */
	const char *output;
	/* The path of the file, or of the newest of several. NULL: none, or a pipe. */
	const char *newest;
	bool pipe;
	uint64_t files;           /* number of complete files that were renamed */
	uint64_t removed;         /* of these */
	uint64_t no_file;         /* samples of the recording that are in none of its files */
	struct counters counters; /* of the file, or of all files */
	uint64_t cpu_used_ns;     /* CPU time of what is recorded, while sampled; 0: not counted */
	uint64_t cpu_covered_ns;  /* the part of it that the samples cover */
	const struct loss_span *loss_spans; /* causes and times of losses; owned by the recorder */
	size_t n_loss_spans;
	/* the cgroups whose map records were lost; owned by the recorder */
	const struct loss_owners *loss_owners;
	int workload_status; /* as a shell reports it; 0 without a workload */
};

#endif
