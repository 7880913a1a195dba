/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the CPU time of the recorded processes, by process name, which BPF programs sum
 * (bpf/cpu_time.bpf.c). Reading resets the sums.
 */
#ifndef PERFSTAMP_SOURCE_BPF_CPU_TIME_H
#define PERFSTAMP_SOURCE_BPF_CPU_TIME_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "user/base/error.h"

struct bpf_cpu_time;

struct bpf_cpu_time_sums {
	uint64_t other_ns;        /* of names for which the table was full */
	uint64_t other_processes; /* that these were */
	uint64_t missed;          /* processes whose time is missing, in part or as a whole */
};

/*
 * @comm is valid during the call; any bytes, NUL-terminated. Returns 0, or -errno, which
 * ends it.
 */
typedef int (*bpf_cpu_time_fn)(const char *comm, uint64_t ns, uint64_t processes, void *ctx);

/*
 * Loads and attaches; nothing is summed yet. @pids_fd is a table that has the recorded
 * processes as keys, and stays the caller's; -1: all are recorded. Returns 0 or -errno with
 * text.
 */
int bpf_cpu_time__new(struct bpf_cpu_time **ret, int pids_fd, struct error *err);
void bpf_cpu_time__free(struct bpf_cpu_time *cpu_time);

/*
 * Starts summing CPU time. Time used before is not counted, nor is any time of process
 * @left_out, if that is not 0. Returns 0 or -errno.
 */
int bpf_cpu_time__begin(struct bpf_cpu_time *cpu_time, pid_t left_out);
/*
 * Hands out what was used since the start, or since the last reading, by one call for each
 * * name. @last: nothing is summed after it. Returns 0 or -errno.
 */
int bpf_cpu_time__read(struct bpf_cpu_time *cpu_time, bool last, bpf_cpu_time_fn fn, void *ctx,
	struct bpf_cpu_time_sums *ret);

#endif
