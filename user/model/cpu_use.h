/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples against the CPU time that was used, by process name: whether they agree as well
 * as chance allows. A process counts under its latest name, as in the recorder. Pure. Its
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
	CPU_USE_FEWER, /* fewer samples than the time calls for */
	CPU_USE_MORE,
};

/* Why there are fewer, most likely. */
enum cpu_use_cause {
	CPU_USE_UNKNOWN,
	CPU_USE_LOST, /* the file reports lost records or samples */
	CPU_USE_THROTTLED,
	/* the kernel throttled the event */ CPU_USE_SHORT, /* processes mostly lived less than ten
							       periods */
	CPU_USE_ALIKE, /* all names have too few samples: timers are late */
};

struct cpu_use_row {
	char name[CPU_USE_NAME_MAX]; /* escaped, by text__escape */
	uint64_t used_ns;
	uint64_t processes; /* that used it */
	uint64_t samples;
	uint64_t weight; /* sum of their periods: ns, or what a hardware event counts */
	double expected; /* samples */
	enum cpu_use_verdict verdict;
	bool far; /* far too few or too many: see cpu_use__compare */
	enum cpu_use_cause cause;
};

/* The recorder's totals. */
struct cpu_use_facts {
	bool shares;        /* the event does not count time: only shares are compared */
	uint64_t slack_ns;  /* the time of one process may be wrong by this much */
	uint64_t cpus;      /* number that run at once; 0: not known */
	uint64_t other_ns;  /* time of the names that are not distinguished */
	uint64_t missed;    /* processes whose time is not known */
	uint64_t lost;      /* records and samples that the file says were lost */
	uint64_t throttled; /* THROTTLE records */
	uint64_t period;    /* of samples, if they have none of their own; 0: not known */
};

int cpu_use__new(struct cpu_use **ret);
void cpu_use__free(struct cpu_use *use);

/*
 * Takes the next event in time order; of a sample only its process, for @weight. Samples of
 * the idle task (pid 0) are skipped. Returns 0 or -ENOMEM.
 */
int cpu_use__apply(struct cpu_use *use, const struct event *event);
int cpu_use__sample(struct cpu_use *use, uint32_t pid, uint64_t weight);
/* @name is escaped. Returns 0 or -ENOMEM. */
int cpu_use__add_time(struct cpu_use *use, const char *name, uint64_t ns, uint64_t processes);

/*
 * Compares. After it, the rows are sorted by the time used, the most first, and *cpu_use__all is
 * their sum; before it there are no rows. Returns 0 or -ENOMEM.
 *
 * With n samples where e are expected, the two disagree if
 * n - e| > 4 sqrt(max(e, 1)) + 2 + the slack + a twentieth of e (of shares, a quarter).
 *
 * A disagreement alone means little: while a virtual machine is off its CPU, timers are late, but
 * the scheduler still counts the time. The two are far apart if there are less than a quarter of
 * the expected samples and the processes are short, or if there are less than a quarter, or more
 * than four times, of the samples expected from the share of all that was sampled.
 */
int cpu_use__compare(struct cpu_use *use, const struct cpu_use_facts *facts);
size_t cpu_use__n_rows(const struct cpu_use *use);
const struct cpu_use_row *cpu_use__row(const struct cpu_use *use, size_t i);
const struct cpu_use_row *cpu_use__all(const struct cpu_use *use);
/* Samples whose process has no name in the file. */
uint64_t cpu_use__unnamed(const struct cpu_use *use);

#endif
