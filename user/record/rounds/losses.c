// SPDX-License-Identifier: GPL-2.0-only
/*
 * See losses.h.
 *
 * Frequent checks locate a loss: it happened after the last check without one. For the perf
 * rings, the kernel writes LOST records. For BPF, perfstamp writes them, so that every reader
 * knows about the loss.
 *
 * Healing records the existing state again: the mappings; after a loss of the perf rings,
 * which may include a FORK or an exec's COMM, also the threads and kernel symbols. Children
 * that could not be followed are searched until there is room for them. While losses continue,
 * healing is repeated, but uses only a small share of the time, because the drains need it
 * more.
 */
#include "user/record/rounds/losses.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "user/record/snapshot/start.h"
#include "user/source/bpf/task_tree.h"
#include "user/source/machine/clock.h"

#define LOOK_NS 1000000000ull         /* between two readings of the BPF programs' counters */
#define LOOK_QUIET_NS 4500000000ull   /* the same while no map record comes: in each quiet round */
#define HEAL_NS 2000000000ull         /* minimum time between two snapshots, */
#define HEAL_SHARE 10                 /* and at least this multiple of the last one's duration, */
#define HEAL_LATEST_NS 15000000000ull /* but at most this, if the last one was delayed */

struct losses {
	struct losses_parts parts;
	struct symbols_again *symbols; /* NULL: the kernel is not sampled */
	uint64_t records_seen;         /* records from the BPF ring at the last look */
	uint64_t drained_ns[2]; /* start of the last drain, and of the one before; monotonic */
	/* start of the drain before the one that found a full ring, or 0 */
	uint64_t full_since_ns;
	bool ring_full; /* the last drain found a full ring */
	/* losses that the kernel has counted for the perf rings; 0 before Linux 6.0 */
	uint64_t counted;
	uint64_t records_reported; /* losses by LOST records at the last look */
	uint64_t last_look_ns;     /* last reading of the BPF programs' counters, monotonic */
	uint64_t heal_next_ns;     /* earliest time of the next healing; monotonic */
	uint64_t missed_next_ns;   /* single processes are not read before this time; monotonic */
	bool heal_maps;            /* to be done at heal_next_ns */
	bool heal_tasks;
	bool heal_children;     /* kept until there was room for all */
	uint64_t cpus_left_out; /* CPUs that are on-line and not recorded */
	struct loss_span spans[LOSS_SPANS_MAX];
	size_t n_spans;
	struct loss_owners owners;
};

/* Returns the newest span of @cause; NULL if there is none. */
static struct loss_span *newest_span(struct losses *losses, enum loss_cause cause)
{
	for (size_t i = losses->n_spans; i-- > 0;)
		if (losses->spans[i].cause == cause)
			return &losses->spans[i];
	return NULL;
}

static void add_span(struct losses *losses, enum loss_cause cause, uint64_t n, uint64_t begin_ns,
	uint64_t end_ns)
{
	struct loss_span *span = newest_span(losses, cause);

	begin_ns = clock_conversion__from_monotonic(losses->parts.clock, begin_ns);
	end_ns = clock_conversion__from_monotonic(losses->parts.clock, end_ns);
	/*
	 * Extends the newest span if the loss continues, or if there is no room. The last place
	 * of each cause is kept free.
	 */
	if (span &&
		(span->end_ns >= begin_ns || losses->n_spans >= LOSS_SPANS_MAX - LOSS_CAUSES_N)) {
		span->n += n;
		if (span->begin_ns > begin_ns)
			span->begin_ns = begin_ns;
		span->end_ns = end_ns;
		return;
	}
	losses->spans[losses->n_spans++] = (struct loss_span){cause, n, begin_ns, end_ns};
}

/* Stores @now, the new sum of one cause. Returns the increase. */
static uint64_t take(struct losses *losses, enum loss_cause cause, uint64_t now, uint64_t begin_ns,
	uint64_t end_ns)
{
	uint64_t *told = &losses->parts.counters->n[counter__of_loss(cause)];
	uint64_t n = now - *told;

	*told = now;
	if (n)
		add_span(losses, cause, n, begin_ns, end_ns);
	return n;
}

static int record_loss(struct losses *losses, uint64_t n, uint64_t now_ns, struct error *err)
{
	struct event event = {.kind = EVENT_LOST, .type = PERF_RECORD_LOST, .cpu = UINT32_MAX};
	size_t sideband = evlist__n_attrs(losses->parts.evlist) - 1, n_ids;
	int code;

	event.time_ns = clock_conversion__from_monotonic(losses->parts.clock, now_ns);
	event.lost.id = evlist__ids(losses->parts.evlist, sideband, &n_ids)[0];
	event.lost.lost = n;
	code = map_writer__event(losses->parts.maps, &event);
	return code ? map_writer__explain(losses->parts.maps, code, "LOST record", err) : 0;
}

static bool time_to_look(const struct losses *losses, uint64_t now_ns)
{
	uint64_t wait = map_writer__n_records(losses->parts.maps) == losses->records_seen
				? LOOK_QUIET_NS
				: LOOK_NS;

	return (losses->parts.bpf || losses->parts.tree) && now_ns - losses->last_look_ns >= wait;
}

static void look_at_sums(struct losses *losses, struct bpf_losses *ret)
{
	bpf_source__losses(losses->parts.bpf, ret);
	if (ret->ring_full == losses->parts.counters->n[counter__of_loss(LOSS_RING_FULL)])
		return;
	/* The counts by cgroup are included in the sum. */
	loss_owners__take(&losses->owners, losses->parts.bpf, losses->parts.cgroups);
	bpf_source__losses(losses->parts.bpf, ret);
}

/* Reading the misses takes a system call for each program, most of the cost of an idle round. */
static int look_at_bpf(struct losses *losses, uint64_t now_ns, struct error *err)
{
	uint64_t begin_ns = losses->last_look_ns, lookups, full, lost;
	struct task_tree_losses tree = {0};
	struct bpf_losses sums = {0};

	losses->records_seen = map_writer__n_records(losses->parts.maps);
	if (losses->parts.bpf)
		look_at_sums(losses, &sums);
	if (losses->parts.tree)
		task_tree__losses(losses->parts.tree, &tree);
	losses->last_look_ns = now_ns;
	lookups = take(losses, LOSS_LOOKUP, sums.lookup_failed, begin_ns, now_ns);
	full = take(losses, LOSS_RING_FULL, sums.ring_full, begin_ns, now_ns);
	if (full)
		loss_owners__add(&losses->owners, full);
	lost = full + take(losses, LOSS_RECURSION, sums.recursion_misses, begin_ns, now_ns) +
	       lookups;
	if (take(losses, LOSS_PIDS_FULL, tree.unfollowed, begin_ns, now_ns))
		losses->heal_children = true;
	if (!lost)
		return 0;
	/* Failed lookups are healed for each process, if the kernel side could name all of them. */
	if (lost > lookups || sums.lookup_failed > map_writer__n_missed_seen(losses->parts.maps))
		losses->heal_maps = true;
	return record_loss(losses, lost, now_ns, err);
}

/*
 * Counts the records for which the perf rings were full, whether or not LOST records have reported
 * them.
 */
static void count_rings(struct losses *losses)
{
	uint64_t lost;
	size_t i;

	losses->counted = 0;
	for (i = 0; i < evlist__n_attrs(losses->parts.evlist); i++)
		if (!evlist__lost(losses->parts.evlist, i, &lost))
			losses->counted += lost;
}

/*
 * A ring reports a loss with the next record after it had room again, which can be much
 * later on an idle CPU. So the losses of a full ring are read at once.
 */
static int look_at_rings(struct losses *losses, bool last, uint64_t now_ns, struct error *err)
{
	uint64_t told = losses->parts.counts->lost_records, begin_ns = losses->drained_ns[1];

	if (losses->ring_full && !losses->full_since_ns)
		losses->full_since_ns = losses->drained_ns[0];
	/* When one ring reports a loss, another may have one that it has not reported yet. */
	if (losses->ring_full || last || told != losses->records_reported)
		count_rings(losses);
	losses->ring_full = false;
	losses->records_reported = told;
	if (losses->full_since_ns && losses->full_since_ns < begin_ns)
		begin_ns = losses->full_since_ns;
	/* LOST_SAMPLES are losses of the hardware, which no event counts. */
	if (take(losses, LOSS_PERF_RINGS,
		    (losses->counted > told ? losses->counted : told) +
			    losses->parts.counts->lost_samples,
		    begin_ns, now_ns)) {
		losses->heal_maps = losses->heal_tasks = true;
		losses->full_since_ns = 0;
	}
	if (!last || losses->counted <= told)
		return 0;
	return record_loss(losses, losses->counted - told, now_ns, err);
}

static uint64_t samples_now(const struct losses *losses)
{
	return clock_conversion__from_monotonic(losses->parts.clock, clock__now(CLOCK_MONOTONIC));
}

/* Writes a check: a task whose end was lost was not recorded again. */
static int write_check(struct losses *losses, uint64_t since_ns, struct error *err)
{
	struct event event = {
		.kind = EVENT_CHECK,
		.type = PERF_RECORD_CGROUP,
		.cpu = UINT32_MAX,
		.time_ns = samples_now(losses),
		.check = {.since_ns = since_ns},
	};
	int code = 0;

	/* Not written if the clock was set back meanwhile. */
	if (since_ns <= event.time_ns)
		code = map_writer__event(losses->parts.maps, &event);
	return code ? map_writer__explain(losses->parts.maps, code, "check of threads", err) : 0;
}

/*
 * Whether the snapshot proves that other threads have ended. A reading of /proc is not atomic and
 * proves nothing. The iterator skips children that could not be followed, although perf has records
 * of them.
 */
static bool snapshot_has_all_threads(const struct losses *losses)
{
	uint64_t known = losses->parts.counters->n[counter__of_loss(LOSS_PIDS_FULL)];
	struct task_tree_losses tree;

	if (!losses->heal_tasks || losses->heal_children || !losses->parts.bpf ||
		!bpf_source__has_snapshot(losses->parts.bpf))
		return false;
	if (!losses->parts.tree)
		return true;
	task_tree__losses(losses->parts.tree, &tree);
	return tree.unfollowed == known;
}

static int write_again(struct losses *losses, struct error *err)
{
	uint64_t since_ns = samples_now(losses);
	int code;

	losses->parts.counters->n[COUNTER_SNAPSHOTS]++;
	map_writer__set_phase(losses->parts.maps,
		losses->heal_tasks ? MAP_WRITER_HEALING_TASKS : MAP_WRITER_LIVE);
	code = start__snapshot(losses->parts.bpf, losses->parts.tree, losses->parts.events,
		losses->parts.maps, err);
	map_writer__set_phase(losses->parts.maps, MAP_WRITER_LIVE);
	if (!code && snapshot_has_all_threads(losses))
		code = write_check(losses, since_ns, err);
	if (!code && losses->heal_tasks && losses->parts.all_cgroups) {
		code = map_writer__cgroups(losses->parts.maps);
		if (code)
			map_writer__explain(losses->parts.maps, code, "cgroups", err);
	}
	if (losses->heal_tasks && losses->symbols)
		symbols_again__begin(losses->symbols);
	losses->heal_maps = losses->heal_tasks = false;
	return code;
}

/* The time until the next healing, after one that took this long. */
static uint64_t time_to_rest(uint64_t took_ns)
{
	uint64_t rest_ns = HEAL_SHARE * took_ns;

	if (rest_ns > HEAL_LATEST_NS)
		return HEAL_LATEST_NS;
	return rest_ns > HEAL_NS ? rest_ns : HEAL_NS;
}

static int heal(struct losses *losses, uint64_t now_ns, struct error *err)
{
	size_t n = 0;
	int code = 0;

	if (!losses__are_to_heal(losses) || now_ns < losses->heal_next_ns)
		return 0;
	if (losses->heal_children) {
		code = start__follow_children(losses->parts.tree, &n, err);
		if (code < 0)
			return code;
		losses->heal_children = code;
		losses->heal_maps |= n > 0;
		code = 0;
	}
	if (losses->heal_maps)
		code = write_again(losses, err);
	losses->heal_next_ns = clock__now(CLOCK_MONOTONIC);
	losses->heal_next_ns += time_to_rest(losses->heal_next_ns - now_ns);
	return code;
}

/*
 * Reads the mappings of processes that the kernel side has named, while they live. Takes a small
 * share of the time, because a process can cause misses of its mappings as often as it likes.
 */
static int heal_missed(struct losses *losses, uint64_t now_ns, struct error *err)
{
	struct map_writer *maps = losses->parts.maps;
	uint32_t pids[MAP_WRITER_MISSED_MAX];
	int code = 0;
	size_t i, n;

	if (!map_writer__has_missed(maps) || now_ns < losses->missed_next_ns)
		return 0;
	n = map_writer__take_missed(maps, pids);
	for (i = 0; !code && i < n; i++)
		code = bpf_source__snapshot(
			losses->parts.bpf, pids[i], map_writer__record, maps, err);
	losses->missed_next_ns = clock__now(CLOCK_MONOTONIC);
	losses->missed_next_ns += HEAL_SHARE * (losses->missed_next_ns - now_ns);
	return code;
}

bool losses__are_to_heal(const struct losses *losses)
{
	return losses->heal_maps || losses->heal_children ||
	       map_writer__has_missed(losses->parts.maps);
}

int losses__new(struct losses **ret, const struct losses_parts *parts)
{
	struct losses *losses = calloc(1, sizeof(*losses));

	*ret = losses;
	if (!losses)
		return -ENOMEM;
	losses->parts = *parts;
	losses->last_look_ns = clock__now(CLOCK_MONOTONIC);
	losses->drained_ns[0] = losses->drained_ns[1] = losses->last_look_ns;
	return 0;
}

void losses__free(struct losses *losses)
{
	if (!losses)
		return;
	loss_owners__free(&losses->owners);
	free(losses);
}

void losses__follow_symbols(struct losses *losses, struct symbols_again *symbols)
{
	losses->symbols = symbols;
}

void losses__note_full(struct losses *losses)
{
	losses->ring_full = true;
}

const struct loss_span *losses__spans(const struct losses *losses, size_t *ret_n)
{
	*ret_n = losses->n_spans;
	return losses->spans;
}

const struct loss_owners *losses__owners(const struct losses *losses)
{
	return &losses->owners;
}

/* Continues or begins the loss of CPUs that are not recorded. Each file has its own. */
static void draw_out(struct losses *losses, uint64_t now_ns)
{
	uint64_t begin_ns = losses->drained_ns[0], n = losses->cpus_left_out;
	const struct loss_span *span = newest_span(losses, LOSS_CPU);

	if (span && span->end_ns >= clock_conversion__from_monotonic(losses->parts.clock, begin_ns))
		n = 0;
	losses->parts.counters->n[COUNTER_LOST_CPU] += n;
	add_span(losses, LOSS_CPU, n, begin_ns, now_ns);
}

static int look(struct losses *losses, uint64_t drain_ns, uint64_t now_ns, bool at_bpf, bool last,
	struct error *err)
{
	int code = (losses->parts.bpf || losses->parts.tree) && at_bpf
			   ? look_at_bpf(losses, now_ns, err)
			   : 0;

	if (losses->cpus_left_out)
		draw_out(losses, now_ns);
	if (!code)
		code = look_at_rings(losses, last, now_ns, err);
	losses->drained_ns[1] = losses->drained_ns[0];
	losses->drained_ns[0] = drain_ns;
	return code;
}

int losses__look(struct losses *losses, uint64_t drain_ns, bool last, struct error *err)
{
	uint64_t now_ns = clock__now(CLOCK_MONOTONIC);
	int code;

	code = look(losses, drain_ns, now_ns, last || time_to_look(losses, now_ns), last, err);
	if (!code && losses->parts.bpf)
		code = heal_missed(losses, now_ns, err);
	return code || last ? code : heal(losses, now_ns, err);
}

int losses__record(struct losses *losses, uint64_t drain_ns, struct error *err)
{
	return look(losses, drain_ns, clock__now(CLOCK_MONOTONIC), true, false, err);
}

void losses__add_cpu(struct losses *losses, uint64_t begin_ns, uint64_t end_ns)
{
	losses->parts.counters->n[COUNTER_LOST_CPU]++;
	add_span(losses, LOSS_CPU, 1, begin_ns, end_ns);
	losses->heal_maps = losses->heal_tasks = true;
}

void losses__begin_left_out(struct losses *losses, uint64_t begin_ns)
{
	losses__add_cpu(losses, begin_ns, clock__now(CLOCK_MONOTONIC));
	losses->cpus_left_out++;
}

void losses__end_left_out(struct losses *losses)
{
	losses->cpus_left_out--;
}

void losses__begin_file(struct losses *losses, uint64_t since_ns)
{
	size_t n = 0;

	for (size_t i = 0; i < losses->n_spans; i++) {
		struct loss_span *span = &losses->spans[i];

		/* A loss that continues must not begin before the file does. */
		if (losses->cpus_left_out && span->cause == LOSS_CPU && span->begin_ns < since_ns)
			span->begin_ns = since_ns;
		if (span->end_ns > since_ns)
			losses->spans[n++] = *span;
	}
	losses->n_spans = n;
	/* Sums by cgroup have no times. */
	if (!newest_span(losses, LOSS_RING_FULL))
		loss_owners__clear(&losses->owners);
}
