/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rounds of a recording: what has come from BPF and the perf rings goes to
 * the file, in the order that keeps a map record at most one round late, and
 * the file is valid up to there. Knows nothing of signals, workloads and how
 * recording began.
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

struct rounds {
	struct task_tree *tree; /* or NULL */
	struct bpf_source *bpf; /* NULL on the rungs MMAP3 and MMAP2 */
	struct evlist *evlist;
	struct perfdata_writer *writer;
	struct stream *stream;  /* NULL: rounds go to .writer */
	struct held_maps *held; /* NULL: nothing is completed in user space */
	struct clock_conversion *clock;
	struct spans spans;
	struct losses losses;
	uint64_t cut_ns;      /* the perf rings are drained up to there; 0: of all */
	bool single;          /* the whole file is one: what comes last may have time 0 */
	bool kept_open;       /* the same for now: symbols of the time before are still to come */
	double ring_fill;     /* of the fullest perf ring when the last drain came, 0 to 1 */
	uint64_t drained;     /* bytes out of the perf rings, ever */
	uint64_t told;        /* maps->events at the last round */
	uint64_t drained_ns;  /* when the last drain began, monotonic */
	uint64_t busy_ns;     /* when the last one did that was well spent */
	int waiting;          /* map records that the kernel side is about to complete */
	bool unfinished;      /* a round that was not ended for them, or so soon */
	uint64_t finished_ns; /* when the last one was begun that was ended, monotonic */
	uint64_t ended_ns;    /* when that had its end, monotonic */
};

/* At the begin of recording; then the fields up to .sample_type, and those of .losses, are set. */
void rounds__init(struct rounds *rounds);

/*
 * Drains once; where something has come, a round is ended, but for so soon after the one
 * before that a record of its time may still be on its way. @last: it always is.
 */
int rounds__run(struct rounds *rounds, bool last, struct error *err);

/*
 * Drains once, and ends the round, so that the file has all that was up to *@ret_ns, in
 * the samples' clock, and of the perf rings nothing that was later. .living is not NULL,
 * and is at that moment.
 */
int rounds__cut(struct rounds *rounds, uint64_t *ret_ns, struct error *err);

/* Writes the map records that wait for their identity; a part of each round. 0 or -errno. */
int rounds__settle(struct rounds *rounds, bool last, struct error *err);

/* Milliseconds until the next one is due, if nothing wakes before. */
int rounds__wait_ms(const struct rounds *rounds);

#endif
