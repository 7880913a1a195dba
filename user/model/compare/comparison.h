/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sample counts by function before and after a change, each from one or more recordings. Functions
 * are matched by name, since addresses differ between builds. Pure: the caller resolves the names.
 */
#ifndef PERFSTAMP_MODEL_COMPARISON_H
#define PERFSTAMP_MODEL_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/model/compare/slices.h"
#include "user/model/profile/numbers.h"
#include "user/model/profile/texts.h"

#define COMPARISON_NONE UINT32_MAX

enum comparison_side { BEFORE, AFTER, SIDES };

/* What a unit counts, and what its fields .a, .b and .c are. */
enum unit_kind {
	UNIT_FUNCTION, /* samples in a function: .a DSO, .b name, .c file, as texts; or NONE */
	UNIT_CALLED,   /* samples in a function or its callees: .a function */
	UNIT_CALL,     /* samples in a function or its callees, by caller: .a and .b functions */
	UNIT_LINE,     /* samples at a source line: .a function, .b "file.c:12" as a text */
	UNIT_CHAIN,    /* samples of a call chain: .a chain of the caller or NONE, .b function */
	UNIT_KINDS,
};

/* The counts of one unit on one side. */
struct measure {
	uint64_t n;     /* samples */
	double weight;  /* the sum of their periods */
	float *weights; /* weight by slice, SLICES_MAX of them; NULL: all are 0 */
};

struct unit {
	enum unit_kind kind;
	uint32_t a, b, c;
	struct measure sides[SIDES];
	/* For a function: how much of its weight was inlined, and into which function (a text). */
	double inlined[SIDES];
	uint32_t into[SIDES];
	uint64_t into_n[SIDES]; /* samples in .into on each side */
	/* For a function: its DSO before the change, as a text; NONE: the same DSO. */
	uint32_t moved_from;
	/* For a function: the unit stands for all samples of the DSO that have no name. */
	bool nameless;
};

/* All samples of one side. */
struct side_total {
	uint64_t n;
	double weight;
	double squares;  /* the sum of the squares of the periods */
	double *weights; /* weight by slice; never NULL */
	struct slices slices;
	/* The same two values for the event that the samples are divided by, if there is one. */
	double per;
	double *pers;
	uint64_t n_per;
	uint64_t life_ns; /* how long any process of this side was alive */
};

/* Samples of one DSO. */
struct dso_total {
	uint32_t dso; /* as a text */
	struct measure sides[SIDES];
};

struct comparison {
	struct texts texts;
	struct unit *units;
	size_t n, room;
	struct numbers by_key;
	struct side_total totals[SIDES];
	struct dso_total *dsos;
	size_t n_dsos, dsos_room;
	uint32_t *dso_of_text; /* by text: the index in .dsos plus one; 0: none */
	size_t n_dso_texts;
};

/* Returns 0 or -ENOMEM. The caller frees @ret in either case. */
int comparison__init(struct comparison *ret);
void comparison__free(struct comparison *comparison);

/* Sets *@ret to the number of @text. Returns 0 or -ENOMEM. */
int comparison__text(struct comparison *comparison, const char *text, uint32_t *ret);
const char *comparison__at(const struct comparison *comparison, uint32_t text);

/*
 * Sets *@ret to the number of a unit of @kind, which is added if it is new. Returns 0 or -ENOMEM.
 */
int comparison__unit(struct comparison *comparison, enum unit_kind kind, uint32_t a, uint32_t b,
	uint32_t c, uint32_t *ret);
/* Adds @n samples to a unit; @weight is the sum of their periods. Returns 0 or -ENOMEM. */
int comparison__add(struct comparison *comparison, uint32_t unit, enum comparison_side side,
	uint32_t slice, uint64_t n, double weight);
int comparison__add_dso(struct comparison *comparison, uint32_t dso, enum comparison_side side,
	uint32_t slice, uint64_t n, double weight);
/* Adds the samples to the total of the side. */
void comparison__add_total(struct comparison *comparison, enum comparison_side side, uint32_t slice,
	uint64_t n, double weight);
/* Adds to the event that the samples are divided by. */
void comparison__add_per(struct comparison *comparison, enum comparison_side side, uint32_t slice,
	uint64_t n, double weight);
/* Adds @from to @to, and empties it. Returns 0 or -ENOMEM. */
int measure__merge(struct measure *to, struct measure *from);
/* Returns the samples of a DSO, or NULL if there are none. */
const struct dso_total *comparison__dso(const struct comparison *comparison, uint32_t dso);

#endif
