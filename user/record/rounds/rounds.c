// SPDX-License-Identifier: GPL-2.0-only
/* See rounds.h. */
#include "user/record/rounds/rounds.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "user/record/maps/stream.h"
#include "user/record/maps/tree_notes.h"
#include "user/record/state/living.h"

/*
 * A round costs as much as a hundred samples. If there are this many bytes in a second, or
 * mappings, the next round follows soon: a crash then loses less, and readers need less
 * memory to sort. Otherwise, the next round follows after a time as long as the quiet time
 * so far, so that new records do not wait longer than that.
 */
#define BUSY_RATE (16u << 10) /* bytes a second */
#define ROUND_BUSY_MS 250
#define ROUND_STREAM_MS 100
#define BUSY_BYTES (BUSY_RATE * ROUND_BUSY_MS / 1000) /* minimum for a round that begins early */
#define ROUND_MODULES_MS 1000                         /* if the kernel does not report modules */

/* How long a round waits for map records that the kernel side will complete. */
#define ROUND_UNFINISHED_NS 1000000000ull

/*
 * A record has its time before it can be read. Between the two are tens of microseconds, or the
 * time for which a hypervisor stops the CPU. Readers assume that all records up to the newest one
 * of a round have been read. So a round ends only if its drain began this long after the end of the
 * previous round, however often the rings wake the recorder.
 */
#define ON_ITS_WAY_NS (ROUND_BUSY_MS * 1000000ull)
#define ON_ITS_WAY_STREAM_NS 50000000ull /* for an observer, who waits for each round */

/* How long a round waits for identities that are being completed. */
#define COMPLETION_MS 50
#define COMPLETION_LAST_MS 2000

struct rounds {
	struct rounds_parts parts;
	struct spans spans;
	struct losses *losses;
	uint64_t cut_ns;     /* the perf rings are drained up to this time; 0: completely */
	bool kept_open;      /* the file is still one round */
	double ring_fill;    /* of the fullest perf ring when the last drain began, 0 to 1 */
	uint64_t drained;    /* bytes from the perf rings since the start */
	uint64_t told;       /* map_writer__n_events at the end of the last round */
	uint64_t drained_ns; /* start of the last drain, monotonic */
	uint64_t busy_ns;    /* time of the last round with enough records */
	int waiting;         /* map records that the kernel side is about to complete */
	/* a round was not ended, because of them or because it was too early */
	bool unfinished;
	uint64_t finished_ns; /* start of the last round that ended, monotonic */
	uint64_t ended_ns;    /* end of that round, monotonic */
};

struct span_context {
	struct rounds *rounds;
	struct error *err;
};

static int on_span(void *ctx, const void *records, size_t size)
{
	struct span_context *span = ctx;

	span->rounds->drained += size;
	return spans__write(&span->rounds->spans, records, size, span->err);
}

/* Returns how many bytes of the records are from before the cut. */
static size_t up_to_cut(void *ctx, const void *records, size_t size)
{
	const struct rounds *rounds = ((struct span_context *)ctx)->rounds;
	const char *begin = records;
	const void *at = records;
	struct record_view view;

	while (record_view__next(&at, begin + size, &rounds->spans.layout, &view) > 0)
		if (view.time_ns > rounds->cut_ns)
			return (const char *)view.header - begin;
	return size;
}

static int drain(struct rounds *rounds, bool last, struct error *err)
{
	struct span_context span = {.rounds = rounds, .err = err};
	size_t i;
	int code;

	clock_conversion__compare(rounds->parts.clock);
	if (rounds->parts.bpf) {
		code = bpf_source__drain(rounds->parts.bpf, map_writer__record, rounds->parts.maps);
		rounds->waiting = code ? 0 : map_writer__write_old(rounds->parts.maps, last);
		if (rounds->waiting < 0)
			code = rounds->waiting;
		if (code)
			return map_writer__explain(rounds->parts.maps, code, "BPF ring", err);
	}
	if (rounds->parts.tree) {
		code = tree_notes__write(rounds->parts.tree, rounds->parts.maps);
		if (code)
			return map_writer__explain(rounds->parts.maps, code, "tasks", err);
	}
	if (rounds->spans.modules) {
		code = module_writer__drain(rounds->spans.modules, last, err);
		if (code)
			return code;
	}
	rounds->ring_fill = 0;
	for (i = 0; i < evlist__n_rings(rounds->parts.evlist); i++) {
		struct perf_ring *ring = evlist__ring(rounds->parts.evlist, i);
		double fill = (double)perf_ring__used(ring) / (double)perf_ring__size(ring);

		if (fill > 0.9)
			losses__note_full(rounds->losses);
		if (fill > rounds->ring_fill)
			rounds->ring_fill = fill;
		code = perf_ring__read_some(
			ring, rounds->cut_ns ? up_to_cut : NULL, on_span, &span, err);
		if (code)
			return code;
	}
	return 0;
}

static bool was_well_spent(const struct rounds *rounds, uint64_t brought, uint64_t begin_ns)
{
	double seconds = (begin_ns - rounds->drained_ns) / 1e9;

	return map_writer__n_events(rounds->parts.maps) != rounds->told ||
	       (brought >= BUSY_BYTES && brought >= BUSY_RATE * seconds);
}

/* Returns the earliest start, monotonic, of a drain that can end the round. */
static uint64_t next_end(const struct rounds *rounds)
{
	return rounds->ended_ns + (rounds->parts.stream ? ON_ITS_WAY_STREAM_NS : ON_ITS_WAY_NS);
}

static int end_round(struct rounds *rounds, bool last, struct error *err)
{
	int code;

	if (rounds->parts.stream)
		code = last ? stream__finish(rounds->parts.stream, err)
			    : stream__finish_round(rounds->parts.stream, err);
	else if (rounds__are_one(rounds) && !last)
		code = perfdata_writer__checkpoint(rounds->parts.writer, err);
	else
		code = perfdata_writer__finish_round(rounds->parts.writer, err);
	rounds->ended_ns = clock__now(CLOCK_MONOTONIC);
	return code;
}

/* Called when all records from before @begin_ns (monotonic) have been read. */
static int advance(struct rounds *rounds, uint64_t begin_ns, struct error *err)
{
	int code;

	if (!rounds->spans.living)
		return 0;
	code = living__advance(rounds->spans.living,
		clock_conversion__from_monotonic(rounds->parts.clock, begin_ns));
	return code ? error__errno(err, code, "what is alive") : 0;
}

int rounds__cut(struct rounds *rounds, uint64_t *ret_ns, struct error *err)
{
	uint64_t begin_ns = clock__now(CLOCK_MONOTONIC);
	int code;

	clock_conversion__compare(rounds->parts.clock);
	rounds->cut_ns = *ret_ns = clock_conversion__from_monotonic(rounds->parts.clock, begin_ns);
	map_writer__allow(rounds->parts.maps, COMPLETION_MS);
	code = drain(rounds, false, err);
	rounds->cut_ns = 0;
	if (!code)
		code = losses__record(rounds->losses, begin_ns, err);
	if (!code)
		code = map_writer__settle(rounds->parts.maps, false, err);
	if (!code) {
		code = living__advance(rounds->spans.living, *ret_ns);
		if (code)
			error__errno(err, code, "what is alive");
	}
	if (code)
		return code;
	rounds->told = map_writer__n_events(rounds->parts.maps);
	rounds->unfinished = false;
	rounds->finished_ns = begin_ns;
	/* With records in memory, this need not be the end of a file. */
	return begin_ns < next_end(rounds) ? perfdata_writer__checkpoint(rounds->parts.writer, err)
					   : end_round(rounds, true, err);
}

int rounds__run(struct rounds *rounds, bool last, struct error *err)
{
	uint64_t drained = rounds->drained, begin_ns = clock__now(CLOCK_MONOTONIC);
	int code;

	map_writer__allow(rounds->parts.maps, last ? COMPLETION_LAST_MS : COMPLETION_MS);
	code = drain(rounds, last, err);
	if (!code)
		code = losses__look(rounds->losses, begin_ns, last, err);
	if (!code && rounds->spans.symbols)
		code = symbols_again__write(rounds->spans.symbols, err);
	if (!code)
		code = map_writer__settle(rounds->parts.maps, last, err);
	if (!code)
		code = advance(rounds, begin_ns, err);
	if (code)
		return code;
	if (was_well_spent(rounds, rounds->drained - drained, begin_ns))
		rounds->busy_ns = begin_ns;
	rounds->drained_ns = begin_ns;
	/* The file is valid up to the last round, and no record has arrived since. */
	if (!last && !rounds->parts.stream && !rounds->unfinished && rounds->drained == drained &&
		map_writer__n_events(rounds->parts.maps) == rounds->told)
		return 0;
	rounds->told = map_writer__n_events(rounds->parts.maps);
	/* New records are written. Waiting ones may wait for at most one round. */
	rounds->unfinished = !last && ((rounds->waiting && begin_ns - rounds->finished_ns <
								   ROUND_UNFINISHED_NS) ||
					      begin_ns < next_end(rounds));
	if (rounds->unfinished)
		return 0;
	rounds->finished_ns = begin_ns;
	return end_round(rounds, last, err);
}

int rounds__new(struct rounds **ret, const struct rounds_parts *parts)
{
	size_t sideband = evlist__n_attrs(parts->evlist) - 1;
	struct rounds *rounds = calloc(1, sizeof(*rounds));
	const struct losses_parts losses = {
		.tree = parts->tree,
		.bpf = parts->bpf,
		.evlist = parts->evlist,
		.events = parts->events,
		.maps = parts->maps,
		.clock = parts->clock,
		.counts = rounds ? &rounds->spans.counts : NULL,
		.counters = parts->counters,
		.cgroups = parts->cgroups,
		.all_cgroups = parts->all_cgroups,
	};

	*ret = rounds;
	if (!rounds)
		return -ENOMEM;
	rounds->parts = *parts;
	rounds->spans.maps = parts->maps;
	rounds->spans.native = parts->native;
	rounds->spans.living = parts->living;
	rounds->spans.layout = record_layout__of(
		evlist__attr(parts->evlist, sideband)->sample_type);
	/* How many records will arrive is not known yet. */
	rounds->busy_ns = rounds->drained_ns = clock__now(CLOCK_MONOTONIC);
	return losses__new(&rounds->losses, &losses);
}

void rounds__free(struct rounds *rounds)
{
	if (!rounds)
		return;
	losses__free(rounds->losses);
	spans__free(&rounds->spans);
	free(rounds);
}

void rounds__follow_kernel(struct rounds *rounds, struct module_writer *modules,
	struct bpf_record *programs, struct symbols_again *symbols)
{
	rounds->spans.modules = modules;
	rounds->spans.programs = programs;
	rounds->spans.symbols = symbols;
	losses__follow_symbols(rounds->losses, symbols);
}

void rounds__set_writer(struct rounds *rounds, struct perfdata_writer *writer)
{
	rounds->parts.writer = writer;
}

void rounds__keep_open(struct rounds *rounds, bool kept_open)
{
	rounds->kept_open = kept_open;
}

bool rounds__are_one(const struct rounds *rounds)
{
	return rounds->parts.single || rounds->kept_open;
}

bool rounds__are_waiting(const struct rounds *rounds)
{
	return rounds->waiting;
}

struct losses *rounds__losses(struct rounds *rounds)
{
	return rounds->losses;
}

uint64_t rounds__n_samples(const struct rounds *rounds)
{
	return rounds->spans.counts.samples;
}

double rounds__ring_fill(const struct rounds *rounds)
{
	return rounds->ring_fill;
}

/* Returns the time until the next drain. */
static int wait_ms(const struct rounds *rounds, uint64_t now_ns)
{
	uint64_t quiet_ms = (now_ns - rounds->busy_ns) / 1000000;
	uint64_t longest_ms = ROUND_QUIET_MS;

	/* An observer waits. */
	if (rounds->parts.stream)
		return ROUND_STREAM_MS;
	if (rounds->spans.modules && module_writer__is_looking(rounds->spans.modules))
		longest_ms = ROUND_MODULES_MS;
	if (losses__are_to_heal(rounds->losses) ||
		(rounds->spans.symbols && symbols_again__is_reading(rounds->spans.symbols)))
		longest_ms = ROUND_BUSY_MS;
	/*
	 * Without BPF, the recorder is not woken for mappings that must be completed while they
	 * exist.
	 */
	if (rounds->waiting || !rounds->parts.bpf || quiet_ms < ROUND_BUSY_MS)
		return ROUND_BUSY_MS;
	return quiet_ms < longest_ms ? quiet_ms : longest_ms;
}

int rounds__wait_ms(const struct rounds *rounds)
{
	uint64_t now_ns = clock__now(CLOCK_MONOTONIC), end_ns = next_end(rounds);
	int drain_ms = wait_ms(rounds, now_ns), end_ms;

	if (!rounds->unfinished)
		return drain_ms;
	/* Rounded up, because waking up a little too early would cause another drain. */
	end_ms = end_ns > now_ns ? (int)((end_ns - now_ns) / 1000000) + 1 : 0;
	return rounds->waiting || end_ms > drain_ms ? drain_ms : end_ms;
}
