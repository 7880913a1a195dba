/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Losses of a recording: counts them by cause, writes them to the file with their time
 * span, and heals them by recording the existing state again. Reads counters and writes;
 * does not drain.
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
#include "user/record/rounds/loss_owners.h"
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

/* Beyond this many, a cause's newest span is extended. */
#define LOSS_SPANS_MAX 256

/* What it uses; owned by the caller, and has to live as long. */
struct losses_parts {
	struct task_tree *tree; /* or NULL */
	struct bpf_source *bpf; /* NULL on the rungs MMAP3 and MMAP2 */
	struct evlist *evlist;
	const struct evlist_options *events;
	struct map_writer *maps;
	const struct clock_conversion *clock;
	const struct record_counts *counts; /* of what came out of the perf rings */
	struct counters *counters;          /* COUNTER_LOST_*, those that are in the file */
	const struct cgroup_paths *cgroups; /* NULL if cgroup2 is not mounted */
	bool all_cgroups;                   /* cgroups are to be named, too */
};

struct losses;

/* Recording begins. Returns 0 or -ENOMEM. */
int losses__new(struct losses **ret, const struct losses_parts *parts);
void losses__free(struct losses *losses);

/* Also heals kernel symbols, if the kernel is sampled. @symbols has to live as long. */
void losses__follow_symbols(struct losses *losses, struct symbols_again *symbols);

/* Reports that this drain found a full perf ring. */
void losses__note_full(struct losses *losses);

/*
 * Called after each drain, which began at @drain_ns (monotonic): records new losses, and
 * heals them if it is due. @last: records losses that no LOST record has reported yet, and
 * does not heal. Returns 0 or -errno.
 */
int losses__look(struct losses *losses, uint64_t drain_ns, bool last, struct error *err);
/* The same at the end of a file that another one follows: does not heal yet. */
int losses__record(struct losses *losses, uint64_t drain_ns, struct error *err);
/* A CPU was not recorded between these times (monotonic), and is now: what it did is not known. */
void losses__add_cpu(struct losses *losses, uint64_t begin_ns, uint64_t end_ns);
/* A CPU is on-line, has not been recorded since (monotonic), and will not be until it ends. */
void losses__begin_left_out(struct losses *losses, uint64_t begin_ns);
void losses__end_left_out(struct losses *losses);
/* Begins the next file, at @since_ns of the samples' clock: removes spans that ended before. */
void losses__begin_file(struct losses *losses, uint64_t since_ns);

/* Whether there is a loss that has to be healed later. */
bool losses__are_to_heal(const struct losses *losses);

/* The losses with their time spans, valid until the next call of another function. */
const struct loss_span *losses__spans(const struct losses *losses, size_t *ret_n);
/* Whose records the ring of map records had no room for. */
const struct loss_owners *losses__owners(const struct losses *losses);

#endif
