/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compares samples with the CPU time that was used, by process name, and decides whether they agree
 * as well as chance allows. A process counts under its latest name, as in the recorder. Pure. Its
 * memory follows the number of distinct pids and names.
 */
#ifndef PERFSTAMP_MODEL_CPU_USE_H
#define PERFSTAMP_MODEL_CPU_USE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/event/event.h"

#define CPU_USE_NAME_MAX (4 * PERFSTAMP_COMM_MAX + 1)

struct cpu_use;

enum cpu_use_verdict {
	CPU_USE_AGREES,
	CPU_USE_FEWER, /* fewer samples than the CPU time requires */
	CPU_USE_MORE,
};

/* The most likely reason for too few samples. */
enum cpu_use_cause {
	CPU_USE_UNKNOWN,
	CPU_USE_LOST,      /* the file reports lost records or samples */
	CPU_USE_THROTTLED, /* the kernel throttled the event */
	CPU_USE_SHORT,     /* most processes lived less than ten periods */
	CPU_USE_ALIKE,     /* all names have too few samples: timers are late */
};

struct cpu_use_row {
	char name[CPU_USE_NAME_MAX]; /* escaped, by text__escape */
	uint64_t used_ns;
	uint64_t processes; /* the processes that used the time */
	uint64_t samples;
	uint64_t weight; /* sum of their periods: ns, or what a hardware event counts */
	double expected; /* samples expected for the time */
	enum cpu_use_verdict verdict;
	bool far; /* far too few or too many: see cpu_use__compare */
	enum cpu_use_cause cause;
};

/* Totals that the recorder wrote to the file. */
struct cpu_use_facts {
	bool shares;        /* the event does not count time, so only shares are compared */
	uint64_t slack_ns;  /* the time of one process may be wrong by this much */
	uint64_t cpus;      /* CPUs that the processes can use at once; 0: not known */
	uint64_t other_ns;  /* time of processes whose names are not distinguished */
	uint64_t missed;    /* processes whose time is not known */
	uint64_t lost;      /* records and samples that the file says were lost */
	uint64_t throttled; /* THROTTLE records */
	uint64_t period;    /* of samples without a period of their own; 0: not known */
};

int cpu_use__new(struct cpu_use **ret);
void cpu_use__free(struct cpu_use *use);

/*
 * Applies the next event in time order. A sample adds @weight to its process. Samples of the idle
 * task (pid 0) are skipped. Returns 0 or -ENOMEM.
 */
int cpu_use__apply(struct cpu_use *use, const struct event *event);
int cpu_use__sample(struct cpu_use *use, uint32_t pid, uint64_t weight);
/* Adds @ns of CPU time that @processes used under @name, which is escaped. Returns 0 or -ENOMEM. */
int cpu_use__add_time(struct cpu_use *use, const char *name, uint64_t ns, uint64_t processes);

/*
 * Compares samples with CPU time. There are no rows before this call. Then the rows are sorted by
 * CPU time, the most first, and cpu_use__all() returns their sum. Returns 0 or -ENOMEM.
 *
 * With n samples where e are expected, the two disagree if |n - e| > 4 sqrt(max(e, 1)) + 2 + the
 * slack + a twentieth of e (for shares, a quarter of e).
 *
 * A disagreement alone is weak evidence: while a virtual machine is off its CPU, timers are late,
 * but the scheduler still counts the time. So .far is set in two cases only. First, there are less
 * than a quarter of the expected samples, and the processes are short-lived. Second, there are less
 * than a quarter of the samples, or more than four times as many, as the row's share of all samples
 * predicts.
 */
int cpu_use__compare(struct cpu_use *use, const struct cpu_use_facts *facts);
size_t cpu_use__n_rows(const struct cpu_use *use);
const struct cpu_use_row *cpu_use__row(const struct cpu_use *use, size_t i);
const struct cpu_use_row *cpu_use__all(const struct cpu_use *use);
/* Returns the number of samples whose process has no name in the file. */
uint64_t cpu_use__unnamed(const struct cpu_use *use);

#endif
