/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rounds of a recording: what BPF and the perf rings have delivered goes to the file,
 * in the order that keeps a map record at most one round late, and the file is valid up to
 * there. Does not know signals, workloads and how recording began.
 */
#ifndef PERFSTAMP_RECORD_ROUNDS_H
#define PERFSTAMP_RECORD_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/record/rounds/losses.h"
#include "user/record/rounds/spans.h"

/* Longest time between two drains, where little comes, and so what a crash can cost. */
#define ROUND_QUIET_MS 5000

struct stream;

/* What is drained, and where it goes; all of it the caller's, and outlives the rounds. */
struct rounds_parts {
	struct task_tree *tree; /* or NULL */
	struct bpf_source *bpf; /* NULL on the rungs MMAP3 and MMAP2 */
	struct evlist *evlist;
	const struct evlist_options *events;
	struct perfdata_writer *writer;
	struct stream *stream; /* NULL: rounds go to .writer */
	struct map_writer *maps;
	struct native_records *native; /* NULL: no MMAP2 comes out of the perf rings */
	struct living *living;         /* NULL: living state is not followed */
	struct clock_conversion *clock;
	struct counters *counters;
	const struct cgroup_paths *cgroups; /* NULL if cgroup2 is not mounted */
	bool all_cgroups;                   /* cgroups are to be named after a loss, too */
	bool single; /* the whole file is one: what comes last may have time 0 */
};

struct rounds;

/* At the start of recording. Returns 0 or -ENOMEM. */
int rounds__new(struct rounds **ret, const struct rounds_parts *parts);
void rounds__free(struct rounds *rounds);

/* The kernel is sampled. @programs is NULL if nothing is kept of BPF programs. */
void rounds__follow_kernel(struct rounds *rounds, struct module_writer *modules,
	struct bpf_record *programs, struct symbols_again *symbols);
/* Rounds are written to @writer from now on. */
void rounds__set_writer(struct rounds *rounds, struct perfdata_writer *writer);
/* While @kept_open the file is one round: symbols of the time before are still to come. */
void rounds__keep_open(struct rounds *rounds, bool kept_open);
/* The whole file is one, or it is kept open. */
bool rounds__are_one(const struct rounds *rounds);

/*
 * Drains once; where there was something, a round is ended, except so soon after the one
 * before that a record of its time may still be on its way. @last: it always is.
 */
int rounds__run(struct rounds *rounds, bool last, struct error *err);

/*
 * Drains once, and ends the round, so that the file has all that was up to *@ret_ns, in
 * the samples' clock, and of the perf rings nothing that was later. What is alive is not NULL,
 * and is at that moment.
 */
int rounds__cut(struct rounds *rounds, uint64_t *ret_ns, struct error *err);

/* Milliseconds until the next one is due, if nothing wakes before. */
int rounds__wait_ms(const struct rounds *rounds);

/* Map records wait that the kernel side is about to complete. */
bool rounds__are_waiting(const struct rounds *rounds);
struct losses *rounds__losses(struct rounds *rounds);
uint64_t rounds__n_samples(const struct rounds *rounds);
/* Of the fullest perf ring when the last drain came, 0 to 1. */
double rounds__ring_fill(const struct rounds *rounds);

#endif
