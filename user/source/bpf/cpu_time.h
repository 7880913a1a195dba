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
	uint64_t other_ns;        /* ns of the names for which the table was full */
	uint64_t other_processes; /* processes with these names */
	uint64_t missed;          /* processes whose time is missing, in part or as a whole */
};

/*
 * @comm is valid during the call; it may have any bytes and ends with a NUL. Returns 0, or -errno
 * to end the reading.
 */
typedef int (*bpf_cpu_time_fn)(const char *comm, uint64_t ns, uint64_t processes, void *ctx);

/*
 * Loads and attaches; nothing is summed yet. The keys of table @pids_fd are the recorded processes;
 * the caller keeps and closes @pids_fd. -1: all processes are recorded. Returns 0 or -errno with
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
 * Calls @fn once for each name with the CPU time used since the start or since the last reading.
 * After a reading with @last, nothing is summed any more. Returns 0 or -errno.
 */
int bpf_cpu_time__read(struct bpf_cpu_time *cpu_time, bool last, bpf_cpu_time_fn fn, void *ctx,
	struct bpf_cpu_time_sums *ret);

#endif
