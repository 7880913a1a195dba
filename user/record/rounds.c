// SPDX-License-Identifier: GPL-2.0-only
/* See rounds.h. */
#include "user/record/rounds.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "user/record/stream.h"

/*
 * A round costs as much as a hundred samples. Where more than so many bytes came,
 * it is well spent, and the next one comes sooner: a crash then costs less, and
 * those who read need less memory to sort.
 */
#define BUSY_BYTES (16u << 10)
#define ROUND_BUSY_MS 250
#define ROUND_STREAM_MS 100

/* How long a round waits for identities that are being completed. */
#define COMPLETION_MS 50
#define COMPLETION_LAST_MS 2000

struct span_context {
	struct rounds *rounds;
	struct error *err;
};

static int on_span(void *ctx, const void *records, size_t size)
{
	struct span_context *span = ctx;
	struct rounds *rounds = span->rounds;
	int code;

	rounds->drained += size;
	if (record_counts__add(&rounds->counts, records, size, rounds->sample_type))
		return error__set(span->err, -EBADMSG, "perf ring: what it holds is no record");
	if (rounds->modules &&
		(code = module_writer__span(rounds->modules, records, size, span->err)))
		return code;
	if (rounds->programs &&
		(code = bpf_record__span(rounds->programs, records, size, span->err)))
		return code;
	if (rounds->native)
		return native_records__span(rounds->native, records, size, span->err);
	return map_writer__raw(rounds->maps, records, size, span->err);
}

static int drain(struct rounds *rounds, bool last, struct error *err)
{
	struct span_context span = {.rounds = rounds, .err = err};
	size_t i;
	int code;

	clock_conversion__compare(rounds->clock);
	if (rounds->bpf) {
		code = bpf_source__drain(rounds->bpf, map_writer__record, rounds->maps);
		rounds->waiting = code ? 0 : map_writer__write_old(rounds->maps, last);
		if (rounds->waiting < 0)
			code = rounds->waiting;
		if (code)
			return error__set(err, code, "%s",
				rounds->maps->error.text[0] ? rounds->maps->error.text
							    : "BPF ring");
	}
	if (rounds->modules) {
		code = module_writer__drain(rounds->modules, last, err);
		if (code)
			return code;
	}
	for (i = 0; i < evlist__n_rings(rounds->evlist); i++) {
		struct perf_ring *ring = evlist__ring(rounds->evlist, i);

		if (perf_ring__used(ring) > perf_ring__size(ring) / 10 * 9)
			rounds->losses.ring_full = true;
		code = perf_ring__read(ring, on_span, &span, err);
		if (code)
			return code;
	}
	return 0;
}

int rounds__settle(struct rounds *rounds, bool last, struct error *err)
{
	int code = rounds->held ? held_maps__settle(rounds->held, last) : 0;

	if (!code)
		return 0;
	return rounds->maps->error.text[0] ? error__set(err, code, "%s", rounds->maps->error.text)
					   : error__errno(err, code, "completion of map records");
}

int rounds__run(struct rounds *rounds, bool last, struct error *err)
{
	uint64_t drained = rounds->drained, begin_ns = clock__now(CLOCK_MONOTONIC);
	int code;

	if (rounds->held)
		held_maps__allow(rounds->held, last ? COMPLETION_LAST_MS : COMPLETION_MS);
	code = drain(rounds, last, err);
	if (!code)
		code = losses__look(&rounds->losses, begin_ns, last, err);
	if (!code)
		code = rounds__settle(rounds, last, err);
	if (code)
		return code;
	rounds->brought = rounds->drained - drained;
	/* The file is valid up to the last round, and nothing has come since. */
	if (!last && !rounds->stream && !rounds->unfinished && !rounds->brought &&
		rounds->maps->events == rounds->told)
		return 0;
	rounds->told = rounds->maps->events;
	/* What came is in the file, but what waits may not be later than one round. */
	rounds->unfinished = !last && rounds->waiting &&
			     begin_ns - rounds->finished_ns < ROUND_QUIET_MS * 1000000ull;
	if (rounds->unfinished)
		return 0;
	rounds->finished_ns = begin_ns;
	if (rounds->stream)
		return last ? stream__finish(rounds->stream, err)
			    : stream__finish_round(rounds->stream, err);
	if (rounds->single && !last)
		return perfdata_writer__checkpoint(rounds->writer, err);
	return perfdata_writer__finish_round(rounds->writer, err);
}

void rounds__init(struct rounds *rounds)
{
	memset(rounds, 0, sizeof(*rounds));
	/* It is not known yet how much will come. */
	rounds->brought = BUSY_BYTES;
	losses__init(&rounds->losses);
}

int rounds__wait_ms(const struct rounds *rounds)
{
	/* Somebody looks on. */
	if (rounds->stream)
		return ROUND_STREAM_MS;
	/* Without BPF nothing wakes for what can be completed only while it lives. */
	return rounds->waiting || rounds->brought >= BUSY_BYTES || !rounds->bpf ? ROUND_BUSY_MS
										: ROUND_QUIET_MS;
}
