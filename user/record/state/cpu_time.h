/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The CPU time that the recorded processes used, which a file gets beside the samples so
 * that `check' can compare both (docs/format.md). Or why it is not known.
 */
#ifndef PERFSTAMP_RECORD_CPU_TIME_H
#define PERFSTAMP_RECORD_CPU_TIME_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "user/base/buffer.h"
#include "user/base/error.h"
#include "user/source/bpf/cpu_time.h"
#include "user/source/perf/event.h"

struct cpu_time {
	char why[192];            /* it is not known; empty: it is */
	struct bpf_cpu_time *bpf; /* or NULL */
	pid_t left_out;
	bool begun;
	bool ended;
	struct buffer lines; /* of the recording's own lines, since the last reading */
};

/*
 * Why the samples of @events would not be those of the time that processes use; NULL: they
 * are. @switched: sampling is turned on and off, or only a part is kept.
 */
const char *cpu_time__refusal(const struct evlist_options *events, bool switched);

/*
 * Makes ready what sums the time. @why it will not be, or NULL; @pids_fd as of
 * bpf_cpu_time__new. A failure becomes the reason why.
 */
void cpu_time__init(struct cpu_time *cpu_time, const char *why, int pids_fd, pid_t left_out);
void cpu_time__free(struct cpu_time *cpu_time);
/* Just before sampling begins. A failure becomes the reason why. */
void cpu_time__begin(struct cpu_time *cpu_time);
/* What was used since the start, or the last reading, becomes .lines. @last: sampling has ended. */
void cpu_time__read(struct cpu_time *cpu_time, bool last);
/* Appends the lines. */
void cpu_time__stamp(const struct cpu_time *cpu_time, struct buffer *out);

#endif
