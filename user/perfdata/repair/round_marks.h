/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which FINISHED_ROUND marks are true: perf resolves, at the end of a round, what is not
 * younger than the newest event of the round before, and complains of any older event that
 * follows. Needs two passes over the same records: the first stores their times, the second
 * decides for each mark whether it may stay. Knows times and marks only.
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

/* Beyond this many rounds, every other one is joined with the next. */
#define ROUNDS_MAX (1u << 20)

struct round_marks {
	struct round_span *spans; /* of each round; settled: .oldest_ns of it and all later */
	size_t n;
	size_t room;
	uint64_t stride; /* marks to a round */
	/* Of the pass in progress. */
	struct round_span current;
	bool fresh; /* a time came since the last mark */
	uint64_t marks;
	size_t asked;
	uint64_t flush_ns;  /* what the next mark releases */
	uint64_t newest_ns; /* so far */
};

void round_marks__init(struct round_marks *rounds);
void round_marks__free(struct round_marks *rounds);

/* First pass. A time of 0 or all ones is none, as for perf. */
void round_marks__note_time(struct round_marks *rounds, uint64_t time_ns);
/* Returns 0 or -ENOMEM. */
int round_marks__note_mark(struct round_marks *rounds);
/* The first pass is over. Returns 0 or -ENOMEM. */
int round_marks__settle(struct round_marks *rounds);

enum round_mark {
	ROUND_TRUE,
	ROUND_SAYS_NOTHING, /* no time since the last mark, or joined with the next round */
	ROUND_UNTRUE,       /* older events follow than what it releases */
};

/* Second pass: the same times and marks. Only true marks may stay. */
void round_marks__time(struct round_marks *rounds, uint64_t time_ns);
enum round_mark round_marks__mark(struct round_marks *rounds);

#endif
