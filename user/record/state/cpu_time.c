// SPDX-License-Identifier: GPL-2.0-only
/* See cpu_time.h. */
#include "user/record/state/cpu_time.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "user/perfdata/features/stamp.h"

#define LOOKS 2 /* readings of a running process: at the start and at the end */

const char *cpu_time__refusal(const struct evlist_options *events, bool switched)
{
	if (switched)
		return "only part of the time is recorded";
	if (events->n_tids)
		return "only single threads are recorded";
	if (events->no_inherit)
		return "children are not recorded";
	if (events->cpus)
		return "only some CPUs are recorded";
	if (events->cgroups)
		return "cgroups are recorded";
	if (events->n_filters)
		return "samples are filtered";
	return NULL;
}

static void refuse(struct cpu_time *cpu_time, const char *why)
{
	buffer__reset(&cpu_time->lines);
	snprintf(cpu_time->why, sizeof(cpu_time->why), "%.*s", (int)sizeof(cpu_time->why) - 1, why);
}

void cpu_time__init(struct cpu_time *cpu_time, const char *why, int pids_fd, pid_t left_out)
{
	struct error err;

	memset(cpu_time, 0, sizeof(*cpu_time));
	buffer__init(&cpu_time->lines, 0);
	cpu_time->left_out = left_out;
	if (why)
		refuse(cpu_time, why);
	else if (bpf_cpu_time__new(&cpu_time->bpf, pids_fd, &err))
		refuse(cpu_time, err.text);
}

void cpu_time__free(struct cpu_time *cpu_time)
{
	bpf_cpu_time__free(cpu_time->bpf);
	buffer__free(&cpu_time->lines);
}

void cpu_time__begin(struct cpu_time *cpu_time)
{
	if (!cpu_time->bpf)
		return;
	cpu_time->begun = true;
	if (bpf_cpu_time__begin(cpu_time->bpf, cpu_time->left_out))
		refuse(cpu_time, "processes could not be listed");
}

struct reading {
	struct cpu_time *cpu_time;
	uint64_t total_ns;
};

static int put_name(const char *comm, uint64_t ns, uint64_t processes, void *ctx)
{
	struct reading *reading = ctx;
	char value[96];

	snprintf(value, sizeof(value), "%" PRIu64 " %" PRIu64 " %s", ns, processes, comm);
	reading->total_ns += ns;
	return stamp__put(&reading->cpu_time->lines, "cpu-time", value);
}

/*
 * The error of a process's sum, in ns: each reading of a running process is behind by up to a tick.
 * The coarse clock advances in ticks.
 */
static uint64_t slack_ns(void)
{
	struct timespec tick = {.tv_nsec = 10000000};

	clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
	return LOOKS * (uint64_t)tick.tv_nsec;
}

void cpu_time__read(struct cpu_time *cpu_time, bool last)
{
	struct reading reading = {.cpu_time = cpu_time};
	struct buffer *lines = &cpu_time->lines;
	struct bpf_cpu_time_sums sums;

	if (!cpu_time->begun || cpu_time->ended)
		return;
	cpu_time->ended = last;
	buffer__reset(lines);
	if (*cpu_time->why)
		return;
	if (bpf_cpu_time__read(cpu_time->bpf, last, put_name, &reading, &sums)) {
		refuse(cpu_time, "processes could not be listed");
		return;
	}
	stamp__put_number(lines, "cpu-time.total", reading.total_ns + sums.other_ns);
	stamp__put_number(lines, "cpu-time.slack", slack_ns());
	stamp__put_number(lines, "cpu-time.cpus", sysconf(_SC_NPROCESSORS_ONLN));
	if (sums.other_processes) {
		stamp__put_number(lines, "cpu-time.other", sums.other_ns);
		stamp__put_number(lines, "cpu-time.other-processes", sums.other_processes);
	}
	if (sums.missed)
		stamp__put_number(lines, "cpu-time.missed", sums.missed);
}

void cpu_time__stamp(const struct cpu_time *cpu_time, struct buffer *out)
{
	if (*cpu_time->why)
		stamp__put(out, "cpu-time.why", cpu_time->why);
	else if (!cpu_time->begun)
		stamp__put(out, "cpu-time.why", "sampling was never enabled");
	else if (!cpu_time->lines.error)
		buffer__append(out, cpu_time->lines.data, cpu_time->lines.size);
}
