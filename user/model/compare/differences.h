/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differences between the two sides of a comparison: for each function, and for its parts,
 * the values on both sides, the change with its interval, and whether it is statistically
 * significant. Pure.
 */
#ifndef PERFSTAMP_MODEL_DIFFERENCES_H
#define PERFSTAMP_MODEL_DIFFERENCES_H

#include "user/model/compare/comparison.h"
#include "user/model/compare/interval.h"

/* The unit of values. */
enum per_unit {
	PER_PROCESS, /* part of all samples that are compared */
	PER_DSO,     /* part of the samples in the same DSO */
	PER_SECOND,  /* CPU seconds in a second of life */
	PER_EVENT,   /* CPU nanoseconds for an occurrence of an event */
};

enum difference_kind {
	DIFFERENCE_NONE,     /* it was sampled before and after */
	DIFFERENCE_NEW,      /* it was not sampled before, which is significant */
	DIFFERENCE_GONE,     /* it was not sampled after, the same */
	DIFFERENCE_INLINED,  /* it has become a part of other functions */
	DIFFERENCE_OUTLINED, /* it no longer is */
	DIFFERENCE_MOVED,    /* it is in another DSO */
	DIFFERENCE_KINDS,
};

struct difference {
	uint32_t unit;
	enum difference_kind kind;
	uint64_t n[SIDES];
	double values[SIDES];
	struct interval change; /* the 95 % confidence interval */
	double p_value;         /* 1: there are too few samples to tell */
	bool marked;
	/* The probable new name of a removed function, or old name of a new one; or NONE. */
	uint32_t renamed; /* an index of a difference */
};

struct differences {
	struct difference *v; /* those that are marked first, each by the size of the change */
	size_t n;
	size_t n_tested; /* number of candidates for a mark */
	size_t n_marked;
};

/*
 * Of all units of @kind that have a sample. Marks of one kind are counted together: at most
 * INTERVAL_FALSE of them are expected to be false. Returns 0 or -ENOMEM; to be freed in
 * either case.
 */
int differences__find(struct differences *ret, const struct comparison *comparison,
	enum unit_kind kind, enum per_unit per);
void differences__free(struct differences *differences);

#endif
