/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rounds of a recording. Each round writes the records from BPF and the perf rings to the file,
 * in an order that delays a map record by at most one round. After a round, the file is valid up to
 * its end. Does not know signals, workloads or the start of recording.
 */
#ifndef PERFSTAMP_RECORD_ROUNDS_H
#define PERFSTAMP_RECORD_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/record/rounds/losses.h"
#include "user/record/rounds/spans.h"

/* Maximum time between two drains while there are few records, which a crash can lose. */
#define ROUND_QUIET_MS 5000

struct stream;

/* Sources and destinations. The caller owns them, and they must be valid as long as the rounds. */
struct rounds_parts {
	struct task_tree *tree; /* or NULL */
	struct bpf_source *bpf; /* NULL on the rungs MMAP3 and MMAP2 */
	struct evlist *evlist;
	const struct evlist_options *events;
	struct perfdata_writer *writer;
	struct stream *stream; /* NULL: records go to .writer */
	struct map_writer *maps;
	struct native_records *native; /* NULL: the perf rings contain no MMAP2 */
	struct living *living;         /* NULL: the state of live processes is not followed */
	struct clock_conversion *clock;
	struct counters *counters;
	const struct cgroup_paths *cgroups; /* NULL if cgroup2 is not mounted */
	bool all_cgroups;                   /* names of cgroups are also healed */
	bool single; /* the file is one round, so the last records may have time 0 */
};

struct rounds;

/* Called when recording begins. Returns 0 or -ENOMEM. */
int rounds__new(struct rounds **ret, const struct rounds_parts *parts);
void rounds__free(struct rounds *rounds);

/*
 * Handles kernel symbols, if the kernel is sampled. @programs is NULL if BPF programs are
 * not recorded.
 */
void rounds__follow_kernel(struct rounds *rounds, struct module_writer *modules,
	struct bpf_record *programs, struct symbols_again *symbols);
/* Rounds are written to @writer from now on. */
void rounds__set_writer(struct rounds *rounds, struct perfdata_writer *writer);
/*
 * While @kept_open, the file is one round, because symbols of the earlier state are still
 * being read.
 */
void rounds__keep_open(struct rounds *rounds, bool kept_open);
/* Whether the whole file is one round, or is kept open. */
bool rounds__are_one(const struct rounds *rounds);

/*
 * Drains once. Ends a round if there were records, but not so soon after the previous round that a
 * record of that round may still be unreadable. @last: always ends the round.
 */
int rounds__run(struct rounds *rounds, bool last, struct error *err);

/*
 * Drains once, and ends the round, so that the file has all records up to *@ret_ns, in the
 * samples' clock, and no later ones of the perf rings. The state, which must not be NULL,
 * is then that of this moment.
 */
int rounds__cut(struct rounds *rounds, uint64_t *ret_ns, struct error *err);

/* Returns the milliseconds until the next round is due, if nothing wakes the recorder before. */
int rounds__wait_ms(const struct rounds *rounds);

/* Whether map records wait that the kernel side is about to complete. */
bool rounds__are_waiting(const struct rounds *rounds);
struct losses *rounds__losses(struct rounds *rounds);
uint64_t rounds__n_samples(const struct rounds *rounds);
/* Returns the fill ratio of the fullest perf ring at the last drain, 0 to 1. */
double rounds__ring_fill(const struct rounds *rounds);

#endif
