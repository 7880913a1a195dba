/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differences between the two sides of a comparison. For each function and its parts: the values on
 * both sides, the change with its interval, and whether the change is statistically significant.
 * Pure.
 */
#ifndef PERFSTAMP_MODEL_DIFFERENCES_H
#define PERFSTAMP_MODEL_DIFFERENCES_H

#include "user/model/compare/comparison.h"
#include "user/model/compare/interval.h"

/* The unit of the values. */
enum per_unit {
	PER_PROCESS, /* share of all compared samples */
	PER_DSO,     /* share of the samples in the same DSO */
	PER_SECOND,  /* CPU seconds per second in which a process was alive */
	PER_EVENT,   /* CPU nanoseconds for each occurrence of an event */
};

enum difference_kind {
	DIFFERENCE_NONE,     /* the function was sampled before and after */
	DIFFERENCE_NEW,      /* it was sampled only after, significantly */
	DIFFERENCE_GONE,     /* it was sampled only before, significantly */
	DIFFERENCE_INLINED,  /* it was inlined into other functions */
	DIFFERENCE_OUTLINED, /* it is no longer inlined */
	DIFFERENCE_MOVED,    /* it moved to another DSO */
	DIFFERENCE_KINDS,
};

struct difference {
	uint32_t unit;
	enum difference_kind kind;
	uint64_t n[SIDES];
	double values[SIDES];
	struct interval change; /* the 95 % confidence interval */
	double p_value;         /* 1: too few samples */
	bool marked;
	/* The probable new name of a removed function, or old name of a new one; or NONE. */
	uint32_t renamed; /* an index of a difference */
};

struct differences {
	struct difference *v; /* significant ones first, each group by the size of the change */
	size_t n;
	size_t n_tested; /* number of differences whose p-value was tested */
	size_t n_marked;
};

/*
 * Compares all units of @kind that have a sample. The significance test treats the units of one
 * kind together: at most INTERVAL_FALSE of the marked differences are expected to be false. Returns
 * 0 or -ENOMEM. The caller frees @ret in either case.
 */
int differences__find(struct differences *ret, const struct comparison *comparison,
	enum unit_kind kind, enum per_unit per);
void differences__free(struct differences *differences);

#endif
