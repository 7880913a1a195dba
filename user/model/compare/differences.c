// SPDX-License-Identifier: GPL-2.0-only
/* differences: see differences.h. */
#include "user/model/compare/differences.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* With fewer samples on both sides together, no difference is significant. */
#define SAMPLES_LEAST 6
/* The least inlined share of a function that is reported as inlined. */
#define INLINED_LEAST 0.9

/* The total of one side, which values are a part of. */
struct whole {
	double weight; /* weight of all samples; 0 for a rate */
	double exposure;
	double slices[SLICES_MAX]; /* by slice: in the unit of .weight, or of .exposure */
	double one;                /* the weight of one independent sample */
	bool rate;
};

struct finding {
	const struct comparison *comparison;
	enum per_unit per;
	struct whole all[SIDES];
};

static uint32_t dso_of(const struct comparison *comparison, const struct unit *unit)
{
	while (unit->kind != UNIT_FUNCTION)
		unit = &comparison->units[unit->a];
	return unit->a;
}

/*
 * Samples of different weights count as fewer samples (Kish, Survey Sampling, 1965): the square of
 * the sum of the weights, divided by the sum of their squares.
 */
static double weight_of_one(const struct side_total *total)
{
	return total->weight > 0 ? total->squares / total->weight : 0;
}

static void take_rate(struct whole *ret, const struct side_total *total, enum per_unit per)
{
	ret->rate = true;
	ret->exposure = per == PER_SECOND ? (double)total->life_ns : total->per;
	for (uint32_t i = 0; i < SLICES_MAX; i++)
		ret->slices[i] = per == PER_SECOND ? (double)slices__width(&total->slices, i)
						   : total->pers[i];
}

static void take_wholes(struct finding *finding)
{
	for (int side = 0; side < SIDES; side++) {
		const struct side_total *total = &finding->comparison->totals[side];
		struct whole *whole = &finding->all[side];

		whole->one = weight_of_one(total);
		whole->weight = total->weight;
		memcpy(whole->slices, total->weights, sizeof(whole->slices));
		if (finding->per == PER_SECOND || finding->per == PER_EVENT)
			take_rate(whole, total, finding->per);
	}
}

/*
 * Finds the counts of the DSO of @unit on both sides. The unit may have been in another DSO before.
 */
static void take_dso(const struct finding *finding, const struct unit *unit,
	enum comparison_side side, struct whole *ret)
{
	uint32_t dso = dso_of(finding->comparison, unit);
	const struct dso_total *total;

	if (side == BEFORE && unit->kind == UNIT_FUNCTION && unit->moved_from != COMPARISON_NONE)
		dso = unit->moved_from;
	total = comparison__dso(finding->comparison, dso);
	*ret = finding->all[side];
	ret->weight = total ? total->sides[side].weight : 0;
	for (uint32_t i = 0; i < SLICES_MAX; i++)
		ret->slices[i] = total && total->sides[side].weights ? total->sides[side].weights[i]
								     : 0;
}

static struct estimate estimate_of(const struct measure *measure, const struct whole *whole)
{
	struct estimate ret = {.dispersion = 1};
	float counts[SLICES_MAX];
	double of[SLICES_MAX];

	if (whole->one <= 0 || (whole->rate ? whole->exposure : whole->weight) <= 0)
		return ret;
	ret.count = measure->weight / whole->one;
	if (whole->rate) {
		ret.unit = whole->one / whole->exposure;
	} else {
		ret.trials = whole->weight / whole->one;
		ret.count = fmin(ret.count, ret.trials);
		ret.unit = 1 / ret.trials;
	}
	if (!measure->weights)
		return ret;
	for (uint32_t i = 0; i < SLICES_MAX; i++) {
		counts[i] = (float)(measure->weights[i] / whole->one);
		of[i] = whole->rate ? whole->slices[i] : whole->slices[i] / whole->one;
	}
	ret.dispersion = interval__dispersion(counts, of, SLICES_MAX, whole->rate, &ret.freedom);
	return ret;
}

/* The estimates of both sides of a unit. */
struct pair {
	struct estimate sides[SIDES];
};

static struct pair estimate_both(const struct finding *finding, const struct unit *unit)
{
	struct pair ret;

	for (int side = 0; side < SIDES; side++) {
		struct whole whole = finding->all[side];

		if (finding->per == PER_DSO)
			take_dso(finding, unit, side, &whole);
		ret.sides[side] = estimate_of(&unit->sides[side], &whole);
	}
	return ret;
}

static int compare_doubles(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/*
 * The dispersion of most units, used for units whose own counts are too few to show it.
 * Returns 0 or -ENOMEM.
 */
static int find_typical(
	const struct differences *differences, const struct pair *pairs, double *ret)
{
	double *all = calloc(SIDES * differences->n + 1, sizeof(*all));
	size_t n = 0;

	*ret = 1;
	if (!all)
		return -ENOMEM;
	for (size_t i = 0; i < differences->n; i++)
		for (int side = 0; side < SIDES; side++)
			if (pairs[i].sides[side].count >= SAMPLES_LEAST)
				all[n++] = pairs[i].sides[side].dispersion;
	qsort(all, n, sizeof(*all), compare_doubles);
	if (n)
		*ret = all[n / 2];
	free(all);
	return 0;
}

/* Both sides run the same program, so each has at least the dispersion of the other. */
static void share_dispersion(struct pair *pair, double typical)
{
	struct estimate *before = &pair->sides[BEFORE], *after = &pair->sides[AFTER];
	const struct estimate *most = after->dispersion > before->dispersion ? after : before;
	double freedom = most->dispersion > typical ? most->freedom : 0;
	double dispersion = fmax(most->dispersion, typical);

	for (int side = 0; side < SIDES; side++) {
		pair->sides[side].dispersion = dispersion;
		pair->sides[side].freedom = freedom;
	}
}

static void find_one(const struct unit *unit, const struct pair *pair, struct difference *ret)
{
	const struct estimate *before = &pair->sides[BEFORE], *after = &pair->sides[AFTER];

	for (int side = 0; side < SIDES; side++) {
		ret->n[side] = unit->sides[side].n;
		ret->values[side] = pair->sides[side].count * pair->sides[side].unit;
	}
	ret->p_value = 1;
	ret->renamed = COMPARISON_NONE;
	if (before->unit <= 0 || after->unit <= 0)
		return;
	ret->change = interval__of_difference(before, after, INTERVAL_Z);
	if (ret->n[BEFORE] + ret->n[AFTER] >= SAMPLES_LEAST)
		ret->p_value = interval__p_value(before, after);
}

static int find_all(const struct finding *finding, struct differences *differences)
{
	const struct unit *units = finding->comparison->units;
	struct pair *pairs = calloc(differences->n + 1, sizeof(*pairs));
	double typical = 1;
	int err = pairs ? 0 : -ENOMEM;

	for (size_t i = 0; i < differences->n && !err; i++)
		pairs[i] = estimate_both(finding, &units[differences->v[i].unit]);
	if (!err)
		err = find_typical(differences, pairs, &typical);
	for (size_t i = 0; i < differences->n && !err; i++) {
		share_dispersion(&pairs[i], typical);
		find_one(&units[differences->v[i].unit], &pairs[i], &differences->v[i]);
	}
	free(pairs);
	return err;
}

static double change_of(const struct difference *difference)
{
	return difference->values[AFTER] - difference->values[BEFORE];
}

static int compare(const void *a, const void *b)
{
	const struct difference *x = a, *y = b;
	double one = fabs(change_of(x)), other = fabs(change_of(y));

	if (x->marked != y->marked)
		return x->marked ? -1 : 1;
	if (one != other)
		return one > other ? -1 : 1;
	return x->unit < y->unit ? -1 : x->unit > y->unit;
}

static int mark(struct differences *differences)
{
	double *p_values = calloc(differences->n + 1, sizeof(*p_values)), threshold;

	if (!p_values)
		return -ENOMEM;
	for (size_t i = 0; i < differences->n; i++)
		if (differences->v[i].n[BEFORE] + differences->v[i].n[AFTER] >= SAMPLES_LEAST)
			p_values[differences->n_tested++] = differences->v[i].p_value;
	threshold = interval__threshold(p_values, differences->n_tested);
	for (size_t i = 0; i < differences->n; i++) {
		differences->v[i].marked = differences->v[i].p_value <= threshold;
		differences->n_marked += differences->v[i].marked;
	}
	free(p_values);
	return 0;
}

static bool is_inlined(const struct unit *unit, enum comparison_side side)
{
	return unit->inlined[side] > 0 &&
	       unit->inlined[side] >= INLINED_LEAST * unit->sides[side].weight;
}

static bool is_outlined(const struct unit *unit, enum comparison_side side)
{
	return unit->inlined[side] <= (1 - INLINED_LEAST) * unit->sides[side].weight;
}

static enum difference_kind kind_of(const struct unit *unit, const struct difference *difference)
{
	if (!difference->n[BEFORE] || !difference->n[AFTER]) {
		if (!difference->marked)
			return DIFFERENCE_NONE;
		return difference->n[AFTER] ? DIFFERENCE_NEW : DIFFERENCE_GONE;
	}
	if (unit->kind != UNIT_FUNCTION)
		return DIFFERENCE_NONE;
	if (unit->moved_from != COMPARISON_NONE)
		return DIFFERENCE_MOVED;
	if (is_outlined(unit, BEFORE) && is_inlined(unit, AFTER))
		return DIFFERENCE_INLINED;
	if (is_inlined(unit, BEFORE) && is_outlined(unit, AFTER))
		return DIFFERENCE_OUTLINED;
	return DIFFERENCE_NONE;
}

/*
 * Whether a new function may be a removed one with another name: both are in one DSO and file, and
 * have similar shares.
 */
static bool may_be(const struct comparison *comparison, const struct difference *gone,
	const struct difference *new)
{
	const struct unit *was = &comparison->units[gone->unit];
	const struct unit *is = &comparison->units[new->unit];

	return new->kind == DIFFERENCE_NEW && was->a == is->a &&
	       was->c == is->c &&new->values[AFTER] < 2 * gone->values[BEFORE] &&
	       gone->values[BEFORE] < 2 * new->values[AFTER];
}

/* Pairs a removed and a new function if each is the only candidate for the other. */
static void find_renamed(const struct comparison *comparison, struct differences *differences)
{
	for (size_t i = 0; i < differences->n_marked; i++) {
		struct difference *gone = &differences->v[i];
		uint32_t found = COMPARISON_NONE;
		size_t n = 0;

		for (size_t k = 0; gone->kind == DIFFERENCE_GONE && k < differences->n_marked; k++)
			if (may_be(comparison, gone, &differences->v[k])) {
				found = k;
				n++;
			}
		for (size_t k = 0; n == 1 && k < differences->n_marked; k++)
			if (k != i && differences->v[k].kind == DIFFERENCE_GONE &&
				may_be(comparison, &differences->v[k], &differences->v[found]))
				n++;
		if (n != 1)
			continue;
		gone->renamed = found;
		differences->v[found].renamed = i;
	}
}

int differences__find(struct differences *ret, const struct comparison *comparison,
	enum unit_kind kind, enum per_unit per)
{
	struct finding finding = {.comparison = comparison, .per = per};

	*ret = (struct differences){.v = calloc(comparison->n + 1, sizeof(*ret->v))};
	if (!ret->v)
		return -ENOMEM;
	take_wholes(&finding);
	for (size_t i = 0; i < comparison->n; i++) {
		const struct unit *unit = &comparison->units[i];

		if (unit->kind != kind || !(unit->sides[BEFORE].n || unit->sides[AFTER].n))
			continue;
		ret->v[ret->n++].unit = i;
	}
	if (find_all(&finding, ret) || mark(ret))
		return -ENOMEM;
	qsort(ret->v, ret->n, sizeof(*ret->v), compare);
	for (size_t i = 0; i < ret->n; i++)
		ret->v[i].kind = kind_of(&comparison->units[ret->v[i].unit], &ret->v[i]);
	if (kind == UNIT_FUNCTION)
		find_renamed(comparison, ret);
	return 0;
}

void differences__free(struct differences *differences)
{
	free(differences->v);
	*differences = (struct differences){0};
}
