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
#include "user/source/perf/evlist.h"

/* Losses of one cause in one time span. Times are in the samples' clock, in ns. */
struct loss_span {
	enum loss_cause cause;
	uint64_t n;
	uint64_t begin_ns; /* the first loss was after this */
	uint64_t end_ns;   /* the last loss was before this */
};

/* If a cause has more spans, the newest one is extended. */
#define LOSS_SPANS_MAX 256

/* What it uses. The caller owns it, and it must be valid as long as the losses. */
struct losses_parts {
	struct task_tree *tree; /* or NULL */
	struct bpf_source *bpf; /* NULL on the rungs MMAP3 and MMAP2 */
	struct evlist *evlist;
	const struct evlist_options *events;
	struct map_writer *maps;
	const struct clock_conversion *clock;
	const struct record_counts *counts; /* counts of the records from the perf rings */
	struct counters *counters;          /* COUNTER_LOST_*: losses that are in the file */
	const struct cgroup_paths *cgroups; /* NULL if cgroup2 is not mounted */
	bool all_cgroups;                   /* names of cgroups are healed as well */
};

struct losses;

/* Called when recording begins. Returns 0 or -ENOMEM. */
int losses__new(struct losses **ret, const struct losses_parts *parts);
void losses__free(struct losses *losses);

/*
 * Also heals kernel symbols, if the kernel is sampled. @symbols must be valid as long as the
 * losses.
 */
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
/* Reports that a CPU was not recorded between these times (monotonic), and is recorded now. */
void losses__add_cpu(struct losses *losses, uint64_t begin_ns, uint64_t end_ns);
/*
 * Reports that a CPU that is on-line has not been recorded since @begin_ns (monotonic), and will
 * not be.
 */
void losses__begin_left_out(struct losses *losses, uint64_t begin_ns);
void losses__end_left_out(struct losses *losses);
/* Begins the next file, at @since_ns of the samples' clock: removes spans that ended before. */
void losses__begin_file(struct losses *losses, uint64_t since_ns);

/* Whether a loss has to be healed later. */
bool losses__are_to_heal(const struct losses *losses);

/* Returns the losses with their time spans, valid until the next call of another function. */
const struct loss_span *losses__spans(const struct losses *losses, size_t *ret_n);
/* Returns the cgroups for whose records the ring had no room. */
const struct loss_owners *losses__owners(const struct losses *losses);

#endif
