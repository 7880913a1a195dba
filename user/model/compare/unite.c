// SPDX-License-Identifier: GPL-2.0-only
/* comparison__unite: see unite.h. */
#include "user/model/compare/unite.h"

#include <errno.h>
#include <stdlib.h>

struct uniting {
	struct comparison *comparison;
	uint32_t *functions; /* units of functions with a name, by name and then by DSO */
	size_t n;
	uint32_t *into; /* by unit: the unit that it was merged into */
};

static bool has(const struct unit *unit, enum comparison_side side)
{
	return unit->sides[side].n;
}

static int compare(const void *a, const void *b, void *ctx)
{
	const struct comparison *comparison = ctx;
	const struct unit *x = &comparison->units[*(const uint32_t *)a];
	const struct unit *y = &comparison->units[*(const uint32_t *)b];

	if (x->b != y->b)
		return x->b < y->b ? -1 : 1;
	if (x->a != y->a)
		return x->a < y->a ? -1 : 1;
	return x->c < y->c ? -1 : x->c > y->c;
}

static int merge(struct uniting *uniting, uint32_t to, uint32_t from)
{
	struct unit *a = &uniting->comparison->units[to], *b = &uniting->comparison->units[from];

	uniting->into[from] = to;
	for (int side = 0; side < SIDES; side++) {
		a->inlined[side] += b->inlined[side];
		if (b->into_n[side] > a->into_n[side]) {
			a->into[side] = b->into[side];
			a->into_n[side] = b->into_n[side];
		}
		if (measure__merge(&a->sides[side], &b->sides[side]))
			return -ENOMEM;
	}
	return 0;
}

/* Merges the units with one name in one DSO: those from @from to @to in the list. */
static int unite_files(struct uniting *uniting, size_t from, size_t to)
{
	const struct unit *units = uniting->comparison->units;
	uint32_t first = uniting->functions[from];
	bool apart = true;
	int err = 0;

	if (!units)
		return 0;
	/* A unit without samples was only seen as a caller, so its file is not known. */
	for (size_t i = from; i < to; i++) {
		const struct unit *unit = &units[uniting->functions[i]];

		if (!has(unit, BEFORE) && !has(unit, AFTER))
			continue;
		if (!has(&units[first], BEFORE) && !has(&units[first], AFTER))
			first = uniting->functions[i];
		apart &= has(unit, BEFORE) && has(unit, AFTER) && unit->c != COMPARISON_NONE;
	}
	for (size_t i = from; i < to && !err; i++) {
		uint32_t other = uniting->functions[i];

		if (other != first &&
			(!apart || (!has(&units[other], BEFORE) && !has(&units[other], AFTER))))
			err = merge(uniting, first, other);
	}
	return err;
}

/* Merges the units with one name: those from @from to @to in the list. */
static int unite_moved(struct uniting *uniting, size_t from, size_t to)
{
	struct unit *units = uniting->comparison->units;
	uint32_t was = COMPARISON_NONE, is = COMPARISON_NONE;
	size_t n = 0;

	for (size_t i = from; i < to; i++) {
		uint32_t function = uniting->functions[i];

		if (uniting->into[function] != function)
			continue;
		n++;
		if (has(&units[function], BEFORE) && !has(&units[function], AFTER))
			was = function;
		if (!has(&units[function], BEFORE) && has(&units[function], AFTER))
			is = function;
	}
	if (n != 2 || was == COMPARISON_NONE || is == COMPARISON_NONE ||
		units[was].a == units[is].a)
		return 0;
	units[is].moved_from = units[was].a;
	return merge(uniting, is, was);
}

static int unite_functions(struct uniting *uniting)
{
	const struct unit *units = uniting->comparison->units;
	size_t name = 0, dso = 0;
	int err = 0;

	if (!units)
		return 0;
	for (size_t i = 1; i <= uniting->n && !err; i++) {
		const struct unit *last = &units[uniting->functions[i - 1]];
		const struct unit *unit = i < uniting->n ? &units[uniting->functions[i]] : NULL;

		if (unit && unit->b == last->b && unit->a == last->a)
			continue;
		err = unite_files(uniting, dso, i);
		dso = i;
		if (err || (unit && unit->b == last->b))
			continue;
		err = unite_moved(uniting, name, i);
		name = i;
	}
	return err;
}

static uint32_t root_of(const struct uniting *uniting, uint32_t unit)
{
	while (uniting->into[unit] != unit)
		unit = uniting->into[unit];
	return unit;
}

/* Adds the counts of merged functions to those into which they were merged. */
static int unite_others(struct uniting *uniting, size_t n)
{
	struct comparison *comparison = uniting->comparison;

	for (size_t i = 0; i < n; i++) {
		struct unit unit = comparison->units[i];
		uint32_t a, b = unit.b, to;

		/* A chain consists of names only, and these are equal. */
		if (unit.kind == UNIT_FUNCTION || unit.kind == UNIT_CHAIN)
			continue;
		a = root_of(uniting, unit.a);
		if (unit.kind == UNIT_CALL)
			b = root_of(uniting, unit.b);
		if (a == unit.a && b == unit.b)
			continue;
		if (comparison__unit(comparison, unit.kind, a, b, unit.c, &to))
			return -ENOMEM;
		for (int side = 0; side < SIDES; side++)
			if (measure__merge(&comparison->units[to].sides[side],
				    &comparison->units[i].sides[side]))
				return -ENOMEM;
	}
	return 0;
}

int comparison__unite(struct comparison *comparison)
{
	struct uniting uniting = {.comparison = comparison};
	size_t n = comparison->n;
	int err;

	uniting.functions = calloc(n + 1, sizeof(*uniting.functions));
	uniting.into = calloc(n + 1, sizeof(*uniting.into));
	err = uniting.functions && uniting.into ? 0 : -ENOMEM;
	for (size_t i = 0; i < n && !err; i++) {
		const struct unit *unit = &comparison->units[i];

		uniting.into[i] = i;
		if (unit->kind == UNIT_FUNCTION && !unit->nameless)
			uniting.functions[uniting.n++] = i;
	}
	if (!err) {
		qsort_r(uniting.functions, uniting.n, sizeof(*uniting.functions), compare,
			comparison);
		err = unite_functions(&uniting);
	}
	if (!err)
		err = unite_others(&uniting, n);
	free(uniting.functions);
	free(uniting.into);
	return err;
}
