// SPDX-License-Identifier: GPL-2.0-only
/*
 * See cpu_use.h. A pid keeps its samples after its exit, because the event of a CPU can still
 * sample it. They are added to its name when the pid is reused, or at the end.
 */
#include "user/model/cpu_use.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/model/tables/by_number.h"
#include "user/base/hash.h"

/* Allowed standard deviations: chance exceeds this once in 16,000 times. */
#define CHANCE 4.0
#define CHANCE_FEW 2.0       /* added to it, because the distribution of small counts is skewed */
#define TOLERANCE 0.05       /* a fraction of the time: clocks, interrupts and late timers differ */
#define TOLERANCE_SHARE 0.25 /* a fraction of a share: CPUs change their frequency */
#define SHORT_PERIODS 10
#define FACTOR_FAR 4 /* far too few or too many samples: by this factor */

struct pid_entry {
	struct by_number by_pid;
	bool named;
	char comm[PERFSTAMP_COMM_MAX];
	uint64_t samples;
	uint64_t weight;
};

struct name_row {
	UT_hash_handle hh;
	struct cpu_use_row row;
};

struct cpu_use {
	struct by_number *pids; /* struct pid_entry, by pid */
	struct name_row *names;
	struct cpu_use_row **rows; /* the rows of .names, sorted by cpu_use__compare */
	size_t n_rows;
	struct cpu_use_row all;
	uint64_t unnamed;
	uint64_t unnamed_weight;
};

int cpu_use__new(struct cpu_use **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? 0 : -ENOMEM;
}

void cpu_use__free(struct cpu_use *use)
{
	if (!use)
		return;
	by_number__free(&use->pids);
	hash__free(use->names);
	free(use->rows);
	free(use);
}

static struct cpu_use_row *get_name(struct cpu_use *use, const char *escaped)
{
	size_t size = strnlen(escaped, CPU_USE_NAME_MAX - 1);
	struct name_row *name;

	HASH_FIND(hh, use->names, escaped, size, name);
	if (name)
		return &name->row;
	name = calloc(1, sizeof(*name));
	if (!name)
		return NULL;
	memcpy(name->row.name, escaped, size);
	HASH_ADD_KEYPTR(hh, use->names, name->row.name, size, name);
	if (hash__added(name))
		return &name->row;
	free(name);
	return NULL;
}

/* Adds the samples of the pid to its current name. */
static int settle(struct cpu_use *use, struct pid_entry *entry)
{
	char escaped[CPU_USE_NAME_MAX];
	struct cpu_use_row *row;

	if (!entry->samples)
		return 0;
	if (!entry->named) {
		use->unnamed += entry->samples;
		use->unnamed_weight += entry->weight;
	} else {
		text__escape(escaped, sizeof(escaped), entry->comm);
		row = get_name(use, escaped);
		if (!row)
			return -ENOMEM;
		row->samples += entry->samples;
		row->weight += entry->weight;
	}
	entry->samples = entry->weight = 0;
	return 0;
}

static int on_fork(struct cpu_use *use, const struct event *event)
{
	bool existed = event->misc & PERF_RECORD_MISC_FORK_EXEC;
	const struct pid_entry *parent;
	struct pid_entry *child;

	if (existed || event->pid == event->fork.ppid || event->tid != event->pid)
		return 0;
	child = by_number__get(&use->pids, event->pid, sizeof(*child));
	if (!child || settle(use, child))
		return -ENOMEM;
	parent = by_number__find(use->pids, event->fork.ppid);
	child->named = parent && parent->named;
	if (child->named)
		memcpy(child->comm, parent->comm, sizeof(child->comm));
	return 0;
}

static int on_comm(struct cpu_use *use, const struct event *event)
{
	struct pid_entry *entry;

	if (event->tid != event->pid)
		return 0;
	entry = by_number__get(&use->pids, event->pid, sizeof(*entry));
	if (!entry)
		return -ENOMEM;
	entry->named = true;
	memset(entry->comm, 0, sizeof(entry->comm));
	strncpy(entry->comm, event->comm.comm, sizeof(entry->comm) - 1);
	return 0;
}

int cpu_use__apply(struct cpu_use *use, const struct event *event)
{
	switch (event->kind) {
	case EVENT_FORK:
		return on_fork(use, event);
	case EVENT_COMM:
		return on_comm(use, event);
	default:
		return 0;
	}
}

int cpu_use__sample(struct cpu_use *use, uint32_t pid, uint64_t weight)
{
	struct pid_entry *entry;

	if (!pid)
		return 0;
	entry = by_number__get(&use->pids, pid, sizeof(*entry));
	if (!entry)
		return -ENOMEM;
	entry->samples++;
	entry->weight += weight;
	return 0;
}

int cpu_use__add_time(struct cpu_use *use, const char *name, uint64_t ns, uint64_t processes)
{
	struct cpu_use_row *row = get_name(use, name);

	if (!row)
		return -ENOMEM;
	row->used_ns += ns;
	row->processes += processes;
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct cpu_use_row *const *x = a, *const *y = b;

	if ((*x)->used_ns != (*y)->used_ns)
		return (*x)->used_ns < (*y)->used_ns ? 1 : -1;
	if ((*x)->weight != (*y)->weight)
		return (*x)->weight < (*y)->weight ? 1 : -1;
	return strcmp((*x)->name, (*y)->name);
}

static int settle_all(struct cpu_use *use)
{
	for (struct by_number *entry = use->pids; entry; entry = entry->hh.next)
		if (settle(use, (struct pid_entry *)entry))
			return -ENOMEM;
	return 0;
}

static int list_rows(struct cpu_use *use)
{
	struct name_row *name;

	free(use->rows);
	use->n_rows = 0;
	use->rows = calloc(HASH_COUNT(use->names) + 1, sizeof(struct cpu_use_row *));
	if (!use->rows)
		return -ENOMEM;
	for (name = use->names; name; name = name->hh.next) {
		use->rows[use->n_rows++] = &name->row;
		use->all.used_ns += name->row.used_ns;
		use->all.processes += name->row.processes;
		use->all.samples += name->row.samples;
		use->all.weight += name->row.weight;
	}
	qsort(use->rows, use->n_rows, sizeof(struct cpu_use_row *), by_time);
	return 0;
}

/* The number of samples to expect for a time. */
struct scale {
	double weight; /* average weight of a sample */
	double per_ns; /* samples */
	double tolerance;
	double coverage; /* the share of the time of all names that the samples represent */
};

static double slack_of(
	const struct cpu_use_row *row, const struct cpu_use_facts *facts, const struct scale *scale)
{
	uint64_t running = row->processes;

	if (facts->cpus && running > facts->cpus)
		running = facts->cpus;
	return (double)running * (double)facts->slack_ns * scale->per_ns;
}

static enum cpu_use_cause cause_of(
	const struct cpu_use_row *row, const struct cpu_use_facts *facts, const struct scale *scale)
{
	double missing = row->expected - (double)row->weight / scale->weight;

	if ((double)facts->lost >= missing / 2)
		return CPU_USE_LOST;
	if (facts->throttled)
		return CPU_USE_THROTTLED;
	if (row->processes && row->expected / (double)row->processes < SHORT_PERIODS)
		return CPU_USE_SHORT;
	if ((double)row->weight / scale->weight > row->expected * scale->coverage / 2)
		return CPU_USE_ALIKE;
	return CPU_USE_UNKNOWN;
}

static bool is_far(const struct cpu_use_row *row, const struct scale *scale, double seen)
{
	double share = row->expected * scale->coverage;

	if (row->verdict == CPU_USE_FEWER && row->cause == CPU_USE_SHORT)
		return seen * FACTOR_FAR < row->expected;
	if (row->verdict == CPU_USE_FEWER)
		return seen * FACTOR_FAR < (share < row->expected ? share : row->expected);
	return row->verdict == CPU_USE_MORE &&
	       seen > FACTOR_FAR * (share > row->expected ? share : row->expected);
}
/* Whether the difference @off exceeds chance. Compares squares, which needs no square root. */
static bool is_more_than_chance(double off, double allowed, double expected)
{
	off -= allowed;
	return off > 0 && off * off > CHANCE * CHANCE * (expected > 1 ? expected : 1);
}

/* @unnamed samples and @other_ns may belong to this row. */
static void judge(struct cpu_use_row *row, const struct cpu_use_facts *facts,
	const struct scale *scale, double unnamed, uint64_t other_ns)
{
	double seen = scale->weight > 0 ? (double)row->weight / scale->weight : 0, allowed;

	row->expected = (double)row->used_ns * scale->per_ns;
	allowed = CHANCE_FEW + slack_of(row, facts, scale) + scale->tolerance * row->expected;
	if (is_more_than_chance(row->expected - seen - unnamed, allowed, row->expected)) {
		row->verdict = CPU_USE_FEWER;
		row->cause = cause_of(row, facts, scale);
	} else if (!facts->missed &&
		   is_more_than_chance(seen - row->expected - (double)other_ns * scale->per_ns,
			   allowed, row->expected)) {
		row->verdict = CPU_USE_MORE;
	}
}

/*
 * When a task forks, its event loses the rest of its period to the child. So the parents of
 * short-lived processes have too few samples, too.
 */
static void report_parents(struct cpu_use *use)
{
	bool are_short = false;
	size_t i;

	for (i = 0; i < use->n_rows; i++)
		are_short |= use->rows[i]->cause == CPU_USE_SHORT;
	for (i = 0; are_short && i < use->n_rows; i++)
		if (use->rows[i]->verdict == CPU_USE_FEWER &&
			(use->rows[i]->cause == CPU_USE_UNKNOWN ||
				use->rows[i]->cause == CPU_USE_ALIKE))
			use->rows[i]->cause = CPU_USE_SHORT;
}

int cpu_use__compare(struct cpu_use *use, const struct cpu_use_facts *facts)
{
	uint64_t used_ns, samples, weight;
	struct scale scale = {0};
	double unnamed = 0;

	if (settle_all(use) || list_rows(use))
		return -ENOMEM;
	used_ns = use->all.used_ns + facts->other_ns;
	samples = use->all.samples + use->unnamed;
	weight = use->all.weight + use->unnamed_weight;
	scale.weight = samples ? (double)weight / (double)samples : (double)facts->period;
	if (!(scale.weight > 0) || !used_ns)
		return 0;
	scale.tolerance = facts->shares ? TOLERANCE_SHARE : TOLERANCE;
	scale.per_ns = facts->shares ? (double)samples / (double)used_ns : 1 / scale.weight;
	scale.coverage = (double)weight / scale.weight / ((double)used_ns * scale.per_ns);
	unnamed = (double)use->unnamed_weight / scale.weight;
	for (size_t i = 0; i < use->n_rows; i++)
		judge(use->rows[i], facts, &scale, unnamed, facts->other_ns);
	use->all.used_ns = used_ns;
	use->all.samples = samples;
	use->all.weight = weight;
	judge(&use->all, facts, &scale, 0, 0);
	report_parents(use);
	for (size_t i = 0; i < use->n_rows; i++)
		use->rows[i]->far = is_far(use->rows[i], &scale,
			(double)use->rows[i]->weight / scale.weight + unnamed);
	return 0;
}

size_t cpu_use__n_rows(const struct cpu_use *use)
{
	return use->n_rows;
}

const struct cpu_use_row *cpu_use__row(const struct cpu_use *use, size_t i)
{
	return use->rows[i];
}

const struct cpu_use_row *cpu_use__all(const struct cpu_use *use)
{
	return &use->all;
}

uint64_t cpu_use__unnamed(const struct cpu_use *use)
{
	return use->unnamed;
}
