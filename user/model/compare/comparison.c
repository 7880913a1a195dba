// SPDX-License-Identifier: GPL-2.0-only
/* comparison: see comparison.h. */
#include "user/model/compare/comparison.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"

struct unit_key {
	uint32_t kind, a, b, c;
};

int comparison__init(struct comparison *ret)
{
	*ret = (struct comparison){0};
	for (int side = 0; side < SIDES; side++) {
		ret->totals[side].weights = calloc(SLICES_MAX, sizeof(double));
		ret->totals[side].pers = calloc(SLICES_MAX, sizeof(double));
		if (!ret->totals[side].weights || !ret->totals[side].pers)
			return -ENOMEM;
	}
	return 0;
}

void comparison__free(struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->n; i++)
		for (int side = 0; side < SIDES; side++)
			free(comparison->units[i].sides[side].weights);
	for (size_t i = 0; i < comparison->n_dsos; i++)
		for (int side = 0; side < SIDES; side++)
			free(comparison->dsos[i].sides[side].weights);
	for (int side = 0; side < SIDES; side++) {
		free(comparison->totals[side].weights);
		free(comparison->totals[side].pers);
	}
	free(comparison->units);
	free(comparison->dsos);
	free(comparison->dso_of_text);
	numbers__free(&comparison->by_key);
	texts__free(&comparison->texts);
}

int comparison__text(struct comparison *comparison, const char *text, uint32_t *ret)
{
	return texts__add(&comparison->texts, text, ret);
}

const char *comparison__at(const struct comparison *comparison, uint32_t text)
{
	return texts__at(&comparison->texts, text);
}

static bool is_unit(const void *units, uint32_t number, const void *wanted)
{
	const struct unit *unit = (const struct unit *)units + number;
	const struct unit_key *key = wanted;

	return unit->kind == key->kind && unit->a == key->a && unit->b == key->b &&
	       unit->c == key->c;
}

int comparison__unit(struct comparison *comparison, enum unit_kind kind, uint32_t a, uint32_t b,
	uint32_t c, uint32_t *ret)
{
	const struct unit_key key = {kind, a, b, c};

	*ret = numbers__find(&comparison->by_key, &key, sizeof(key), is_unit, comparison->units);
	if (*ret != NUMBERS_NONE)
		return 0;
	if (array__reserve_numbered(&comparison->units, &comparison->room, comparison->n + 1,
		    sizeof(*comparison->units)))
		return -ENOMEM;
	*ret = comparison->n;
	if (numbers__add(&comparison->by_key, &key, sizeof(key), *ret))
		return -ENOMEM;
	comparison->units[comparison->n++] = (struct unit){
		.kind = kind,
		.a = a,
		.b = b,
		.c = c,
		.into = {COMPARISON_NONE, COMPARISON_NONE},
		.moved_from = COMPARISON_NONE,
	};
	return 0;
}

static int add(struct measure *to, uint32_t slice, uint64_t n, double weight)
{
	if (!to->weights)
		to->weights = calloc(SLICES_MAX, sizeof(*to->weights));
	if (!to->weights)
		return -ENOMEM;
	to->n += n;
	to->weight += weight;
	to->weights[slice] += (float)weight;
	return 0;
}

int comparison__add(struct comparison *comparison, uint32_t unit, enum comparison_side side,
	uint32_t slice, uint64_t n, double weight)
{
	return add(&comparison->units[unit].sides[side], slice, n, weight);
}

/* Returns the entry of a DSO, which is added if it is new; NULL: no memory. */
static struct dso_total *get_dso(struct comparison *comparison, uint32_t dso)
{
	if (array__reach(&comparison->dso_of_text, &comparison->n_dso_texts, dso,
		    sizeof(*comparison->dso_of_text)))
		return NULL;
	if (comparison->dso_of_text[dso])
		return &comparison->dsos[comparison->dso_of_text[dso] - 1];
	if (array__reserve_numbered(&comparison->dsos, &comparison->dsos_room,
		    comparison->n_dsos + 1, sizeof(*comparison->dsos)))
		return NULL;
	comparison->dsos[comparison->n_dsos++] = (struct dso_total){.dso = dso};
	comparison->dso_of_text[dso] = comparison->n_dsos;
	return &comparison->dsos[comparison->n_dsos - 1];
}

int comparison__add_dso(struct comparison *comparison, uint32_t dso, enum comparison_side side,
	uint32_t slice, uint64_t n, double weight)
{
	struct dso_total *total = get_dso(comparison, dso);

	return total ? add(&total->sides[side], slice, n, weight) : -ENOMEM;
}

void comparison__add_total(struct comparison *comparison, enum comparison_side side, uint32_t slice,
	uint64_t n, double weight)
{
	comparison->totals[side].n += n;
	comparison->totals[side].weight += weight;
	comparison->totals[side].weights[slice] += weight;
}

void comparison__add_per(struct comparison *comparison, enum comparison_side side, uint32_t slice,
	uint64_t n, double weight)
{
	comparison->totals[side].n_per += n;
	comparison->totals[side].per += weight;
	comparison->totals[side].pers[slice] += weight;
}

int measure__merge(struct measure *to, struct measure *from)
{
	if (from->weights && !to->weights)
		to->weights = calloc(SLICES_MAX, sizeof(*to->weights));
	if (from->weights && !to->weights)
		return -ENOMEM;
	for (uint32_t i = 0; from->weights && i < SLICES_MAX; i++)
		to->weights[i] += from->weights[i];
	to->n += from->n;
	to->weight += from->weight;
	free(from->weights);
	*from = (struct measure){0};
	return 0;
}

const struct dso_total *comparison__dso(const struct comparison *comparison, uint32_t dso)
{
	if (dso >= comparison->n_dso_texts || !comparison->dso_of_text[dso])
		return NULL;
	return &comparison->dsos[comparison->dso_of_text[dso] - 1];
}
