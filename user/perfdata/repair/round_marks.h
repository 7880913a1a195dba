/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decides which FINISHED_ROUND marks are true. At the end of a round, perf releases all events up
 * to the newest one of the round before, and reports any older event that follows. Needs two passes
 * over the same records: the first stores their times, the second decides for each mark whether it
 * may be kept. Knows only times and marks.
 */
#ifndef PERFSTAMP_PERFDATA_ROUND_MARKS_H
#define PERFSTAMP_PERFDATA_ROUND_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct round_span {
	uint64_t oldest_ns;
	uint64_t newest_ns;
};

/* If there are more rounds, pairs of adjacent ones are joined. */
#define ROUNDS_MAX (1u << 20)

struct round_marks {
	/* one for each round; after settling, .oldest_ns includes all later rounds */
	struct round_span *spans;
	size_t n;
	size_t room;
	uint64_t stride; /* marks in one round */
	/* State of the current pass. */
	struct round_span current;
	bool fresh; /* a time has followed the last mark */
	uint64_t marks;
	size_t asked;
	uint64_t flush_ns;  /* the next mark releases events up to this */
	uint64_t newest_ns; /* newest time so far */
};

void round_marks__init(struct round_marks *rounds);
void round_marks__free(struct round_marks *rounds);

/* First pass. As in perf, 0 and all ones are not times. */
void round_marks__note_time(struct round_marks *rounds, uint64_t time_ns);
/* Returns 0 or -ENOMEM. */
int round_marks__note_mark(struct round_marks *rounds);
/* Ends the first pass. Returns 0 or -ENOMEM. */
int round_marks__settle(struct round_marks *rounds);

enum round_mark {
	ROUND_TRUE,
	ROUND_SAYS_NOTHING, /* no time since the last mark, or joined with the next round */
	ROUND_UNTRUE,       /* events follow that are older than those it releases */
};

/* Second pass, over the same times and marks. Only true marks may be kept. */
void round_marks__time(struct round_marks *rounds, uint64_t time_ns);
enum round_mark round_marks__mark(struct round_marks *rounds);

#endif
