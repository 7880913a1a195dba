/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a recording lost: counted by cause, told in the file with the time in
 * which it was, and healed, by telling again what is there. Looks at counters
 * and writes; drains nothing.
 */
#ifndef PERFSTAMP_RECORD_LOSSES_H
#define PERFSTAMP_RECORD_LOSSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/parse/event/record_scan.h"
#include "user/perfdata/features/counters.h"
#include "user/record/maps/map_writer.h"
#include "user/record/kernel/symbols_again.h"
#include "user/source/bpf/bpf.h"
#include "user/source/perf/event.h"

/* Losses of one cause, all in one time span: times as the samples have them, ns. */
struct loss_span {
	enum loss_cause cause;
	uint64_t n;
	uint64_t begin_ns; /* after which the first was lost */
	uint64_t end_ns;   /* before which the last was */
};

/* Beyond so many, a cause's newest span is drawn out. */
#define LOSS_SPANS_MAX 256

struct living;

struct losses {
	struct task_tree *tree; /* or NULL */
	struct bpf_source *bpf; /* NULL on the rungs MMAP3 and MMAP2 */
	struct evlist *evlist;
	const struct evlist_options *events;
	struct map_writer *maps;
	const struct clock_conversion *clock;
	const struct record_counts *counts; /* of what came out of the perf rings */
	struct counters *counters;          /* COUNTER_LOST_*, those that are in the file */
	bool all_cgroups;                   /* cgroups are to be named, too */
	struct living *living;              /* learns from a snapshot what has gone; or NULL */
	struct symbols_again *symbols;      /* NULL: the kernel is not sampled */

	uint64_t records_seen;  /* of the BPF ring, at the last look */
	uint64_t drained_ns[2]; /* when the last drain, and the one before, began; monotonic */
	uint64_t
		full_since_ns; /* begin of the drain before one that found a perf ring full, or 0 */
	bool ring_full;        /* the last drain did: set by who drains */
	uint64_t counted;      /* by the kernel, of the perf rings; 0 before Linux 6.0 */
	uint64_t records_told; /* by LOST records, at the last look */
	uint64_t last_look_ns; /* at the counters of the BPF programs, monotonic */
	uint64_t heal_next_ns; /* not before; monotonic */
	uint64_t missed_next_ns; /* single processes are not looked at before; monotonic */
	bool heal_maps;          /* to be done at heal_next_ns */
	bool heal_tasks;
	bool heal_children;     /* until there was room for all */
	uint64_t cpus_left_out; /* they are on-line, and not recorded */
	struct loss_span spans[LOSS_SPANS_MAX];
	size_t n_spans;
};

/* Recording begins; the fields up to .symbols are the caller's to set. */
void losses__init(struct losses *losses);

/*
 * After each drain, which began at @drain_ns (monotonic): tells of what was lost
 * since the one before, and heals it if it is time to. @last: tells of what no
 * LOST record has told yet, and heals no more. losses__init
 * has been called before the first. 0 or -errno.
 */
int losses__look(struct losses *losses, uint64_t drain_ns, bool last, struct error *err);
/* The same at the end of a file that another one follows: heals nothing yet. */
int losses__tell(struct losses *losses, uint64_t drain_ns, struct error *err);
/* A CPU was not recorded between (monotonic), and is now: nobody knows what it did. */
void losses__add_cpu(struct losses *losses, uint64_t begin_ns, uint64_t end_ns);
/* A CPU is on-line, has not been recorded since (monotonic), and will not be until it ends. */
void losses__begin_left_out(struct losses *losses, uint64_t begin_ns);
void losses__end_left_out(struct losses *losses);
/* A next file begins, at @since_ns of the samples' clock: spans that ended before are not its. */
void losses__begin_file(struct losses *losses, uint64_t since_ns);

/* Whether something is still to be healed, when it is time to. */
bool losses__are_to_heal(const struct losses *losses);

#endif
