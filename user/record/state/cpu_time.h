/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The CPU time of the recorded processes, which is stored in the file so that `check' can
 * compare it with the samples (docs/format.md), or the reason why it is not known.
 */
#ifndef PERFSTAMP_RECORD_CPU_TIME_H
#define PERFSTAMP_RECORD_CPU_TIME_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "user/base/buffer.h"
#include "user/base/error.h"
#include "user/source/bpf/cpu_time.h"
#include "user/source/perf/evlist.h"

struct cpu_time {
	char why[192];            /* why it is not known; empty: it is known */
	struct bpf_cpu_time *bpf; /* or NULL */
	pid_t left_out;
	bool begun;
	bool ended;
	struct buffer lines; /* the recording's own lines, up to the last reading */
};

/*
 * Returns why the samples of @events cannot be compared with the CPU time of processes; NULL: they
 * can. @switched: sampling is turned on and off, or only a part is kept.
 */
const char *cpu_time__refusal(const struct evlist_options *events, bool switched);

/*
 * Prepares the accounting. @why: why time is not accounted, or NULL; @pids_fd as of
 * bpf_cpu_time__new. On a failure, its error is stored as the reason.
 */
void cpu_time__init(struct cpu_time *cpu_time, const char *why, int pids_fd, pid_t left_out);
void cpu_time__free(struct cpu_time *cpu_time);
/* Called just before sampling begins. On a failure, its error is stored as the reason. */
void cpu_time__begin(struct cpu_time *cpu_time);
/*
 * Stores the time used since the start, or the last reading, in .lines. @last: sampling has
 * ended.
 */
void cpu_time__read(struct cpu_time *cpu_time, bool last);
/* Appends the lines. */
void cpu_time__stamp(const struct cpu_time *cpu_time, struct buffer *out);

#endif
