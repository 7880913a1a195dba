// SPDX-License-Identifier: GPL-2.0-only
/* See fold.h. */
#include "user/cli/diff/fold.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/model/compare/names.h"
#include "user/view/report/report.h"

#define NAME_MAX_BYTES 4096
#define DSO_MAX_BYTES 512

/* Flags of a DSO: it has places on a side, some with lines, some with names. */
enum { MET = 1, HAS_LINES = 4, HAS_NAMES = 16 };

/*
 * The functions of one place: the one with the symbol, then those inlined into it, the outermost
 * first.
 */
struct place_functions {
	uint32_t *v;
	uint32_t n; /* 0: not looked up yet */
	uint32_t dso;
	uint32_t line; /* number of a text, or NONE */
};

struct folding {
	struct comparison *comparison;
	const struct diff_command *command;
	uint8_t *dsos; /* by number of the DSO's text: MET << side, HAS_LINES << side */
	size_t n_dsos;
	uint32_t *marks; /* by unit: the last sum that it was counted for, from 1 */
	size_t n_marks;
	uint32_t n_sums;
	/* The recording that is being added. */
	struct counted *counted;
	struct place_functions *places;
	uint32_t event, per;
	uint32_t shift[SIDES];
	uint32_t *stack; /* functions of one chain, the innermost first */
	size_t n_stack, stack_room;
};

static int dso_text(struct folding *folding, uint32_t place, uint32_t *ret)
{
	const struct report_view view = {.samples = folding->counted->samples,
		.model = folding->counted->readings.input.model};
	char name[DSO_MAX_BYTES], plain[DSO_MAX_BYTES];

	compare_names__dso(
		plain, sizeof(plain), report_view__dso(&view, place, name, sizeof(name)));
	return comparison__text(folding->comparison, plain, ret);
}

static int meet(struct folding *folding, uint32_t place, enum comparison_side side)
{
	const struct resolved *resolved = &folding->counted->names.resolved[place];
	uint32_t dso;

	if (dso_text(folding, place, &dso))
		return -ENOMEM;
	if (array__reach(&folding->dsos, &folding->n_dsos, dso, sizeof(*folding->dsos)))
		return -ENOMEM;
	folding->dsos[dso] |= MET << side;
	if (resolved->srcline || resolved->n_inlined)
		folding->dsos[dso] |= HAS_LINES << side;
	if (resolved->name)
		folding->dsos[dso] |= HAS_NAMES << side;
	return 0;
}

/* Whether all builds of the DSO have @what, so that both sides are comparable. */
static bool all_have(const struct folding *folding, uint32_t dso, uint8_t what)
{
	uint8_t is = dso < folding->n_dsos ? folding->dsos[dso] : 0;

	for (int side = 0; side < SIDES; side++)
		if (is & MET << side && !(is & what << side))
			return false;
	return true;
}

/* Returns the unit of the function @name; NULL: the unit of all samples without a name. */
static int function_unit(
	struct folding *folding, uint32_t dso, const char *name, const char *line, uint32_t *ret)
{
	const char *colon = line ? strrchr(line, ':') : NULL;
	char plain[NAME_MAX_BYTES], *file;
	uint32_t a, c = COMPARISON_NONE;
	int err;

	compare_names__function(plain, sizeof(plain), name ? name : "[no symbols]");
	err = comparison__text(folding->comparison, plain, &a);
	if (!err && colon) {
		file = strndup(line, colon - line);
		err = file ? comparison__text(folding->comparison, file, &c) : -ENOMEM;
		free(file);
	}
	if (!err)
		err = comparison__unit(folding->comparison, UNIT_FUNCTION, dso, a, c, ret);
	if (!err && !name)
		folding->comparison->units[*ret].nameless = true;
	return err;
}

static int look_up(struct folding *folding, uint32_t place)
{
	const struct resolved *resolved = &folding->counted->names.resolved[place];
	struct place_functions *functions = &folding->places[place];
	const char *name = resolved->name;
	uint32_t dso, n = 1;
	bool lines;
	int err;

	if (functions->n)
		return 0;
	if (dso_text(folding, place, &dso))
		return -ENOMEM;
	lines = all_have(folding, dso, HAS_LINES);
	if (!all_have(folding, dso, HAS_NAMES))
		name = NULL;
	if (lines && name && !folding->command->no_inline)
		n += resolved->n_inlined;
	functions->dso = dso;
	functions->line = COMPARISON_NONE;
	functions->v = calloc(n, sizeof(*functions->v));
	if (!functions->v)
		return -ENOMEM;
	functions->n = n;
	/* The line belongs to the innermost function. */
	err = function_unit(folding, dso, name, lines && n == 1 && name ? resolved->srcline : NULL,
		&functions->v[0]);
	for (uint32_t i = 1; i < n && !err; i++)
		err = function_unit(folding, dso, resolved->inlined[i - 1],
			i + 1 == n ? resolved->srcline : NULL, &functions->v[i]);
	if (!err && folding->command->source && resolved->srcline)
		err = comparison__text(folding->comparison, resolved->srcline, &functions->line);
	return err;
}

static int push(struct folding *folding, uint32_t function)
{
	if (array__reserve(&folding->stack, &folding->stack_room, folding->n_stack + 1,
		    sizeof(*folding->stack)))
		return -ENOMEM;
	folding->stack[folding->n_stack++] = function;
	return 0;
}

static int take_stack(struct folding *folding, uint32_t frame)
{
	const struct samples *samples = folding->counted->samples;

	folding->n_stack = 0;
	for (; frame != SAMPLES_NONE; frame = samples__frame(samples, frame)->parent) {
		const struct place_functions *functions;
		uint32_t place = samples__frame(samples, frame)->place;

		if (look_up(folding, place))
			return -ENOMEM;
		functions = &folding->places[place];
		for (uint32_t i = functions->n; i > 0; i--)
			if (push(folding, functions->v[i - 1]))
				return -ENOMEM;
	}
	return 0;
}

/* Counts @unit, but only once for the current sum. */
static int count_once(struct folding *folding, uint32_t unit, enum comparison_side side,
	uint32_t slice, const struct sample_sum *sum)
{
	if (array__reach(&folding->marks, &folding->n_marks, unit, sizeof(*folding->marks)))
		return -ENOMEM;
	if (folding->marks[unit] == folding->n_sums)
		return 0;
	folding->marks[unit] = folding->n_sums;
	return comparison__add(folding->comparison, unit, side, slice, sum->n, (double)sum->period);
}

static int count_calls(struct folding *folding, enum comparison_side side, uint32_t slice,
	const struct sample_sum *sum)
{
	struct comparison *comparison = folding->comparison;
	uint32_t unit;
	int err = 0;

	for (size_t i = 0; i < folding->n_stack && !err; i++) {
		err = comparison__unit(comparison, UNIT_CALLED, folding->stack[i], 0, 0, &unit);
		if (!err)
			err = count_once(folding, unit, side, slice, sum);
		if (err || i + 1 == folding->n_stack)
			break;
		err = comparison__unit(
			comparison, UNIT_CALL, folding->stack[i], folding->stack[i + 1], 0, &unit);
		if (!err)
			err = count_once(folding, unit, side, slice, sum);
	}
	return err;
}

static int count_chain(struct folding *folding, enum comparison_side side, uint32_t slice,
	const struct sample_sum *sum)
{
	struct comparison *comparison = folding->comparison;
	const char *comm = samples__text(folding->counted->samples, sum->comm);
	uint32_t chain = COMPARISON_NONE, text;
	int err;

	/* A chain begins with the name of its thread, which counts as a function without a DSO. */
	err = comparison__text(comparison, comm, &text);
	if (!err)
		err = comparison__unit(
			comparison, UNIT_CHAIN, COMPARISON_NONE, COMPARISON_NONE, text, &chain);
	for (size_t i = folding->n_stack; i > 0 && !err; i--)
		err = comparison__unit(
			comparison, UNIT_CHAIN, chain, folding->stack[i - 1], 0, &chain);
	return err ? err
		   : comparison__add(comparison, chain, side, slice, sum->n, (double)sum->period);
}

static void note_inlined(struct folding *folding, const struct place_functions *functions,
	enum comparison_side side, const struct sample_sum *sum)
{
	struct unit *units = folding->comparison->units;
	struct unit *unit = &units[functions->v[functions->n - 1]];
	const struct unit *into = &units[functions->v[0]];

	if (functions->n == 1)
		return;
	unit->inlined[side] += (double)sum->period;
	if (unit->into[side] != into->b && sum->n <= unit->into_n[side])
		return;
	if (unit->into[side] != into->b)
		unit->into_n[side] = 0;
	unit->into[side] = into->b;
	unit->into_n[side] += sum->n;
}

static int take_sum(struct folding *folding, const struct sample_sum *sum)
{
	struct comparison *comparison = folding->comparison;
	enum comparison_side side = counted__side(sum->group);
	uint32_t slice = (uint32_t)((uint64_t)counted__slice(sum->group) >> folding->shift[side]);
	uint32_t place = samples__frame(folding->counted->samples, sum->frame)->place;
	const struct place_functions *functions;
	double weight = (double)sum->period;
	uint32_t function, unit;
	int err;

	if (sum->event == folding->per)
		comparison__add_per(comparison, side, slice, sum->n, weight);
	if (sum->event != folding->event)
		return 0;
	folding->n_sums++;
	if (look_up(folding, place))
		return -ENOMEM;
	functions = &folding->places[place];
	function = functions->v[functions->n - 1];
	comparison__add_total(comparison, side, slice, sum->n, weight);
	err = comparison__add_dso(comparison, functions->dso, side, slice, sum->n, weight);
	if (!err)
		err = comparison__add(comparison, function, side, slice, sum->n, weight);
	if (err)
		return err;
	note_inlined(folding, functions, side, sum);
	if (functions->line != COMPARISON_NONE) {
		err = comparison__unit(comparison, UNIT_LINE, function, functions->line, 0, &unit);
		if (!err)
			err = comparison__add(comparison, unit, side, slice, sum->n, weight);
	}
	if (!err && (folding->command->chains || folding->command->folded))
		err = take_stack(folding, sum->frame);
	if (!err && folding->command->chains)
		err = count_calls(folding, side, slice, sum);
	if (!err && folding->command->folded)
		err = count_chain(folding, side, slice, sum);
	return err;
}

static int fold_one(struct folding *folding, struct counted *counted, const char *event,
	const struct slices *slices)
{
	const char *per = folding->command->per_event;
	size_t n_places = samples__n_places(counted->samples);
	int err = 0;

	folding->counted = counted;
	folding->event = counted__event(counted, event);
	folding->per = per ? counted__event(counted, per) : SAMPLES_NONE;
	folding->places = calloc(n_places + 1, sizeof(*folding->places));
	if (!folding->places)
		return -ENOMEM;
	for (int side = 0; side < SIDES; side++)
		folding->shift[side] = slices[side].level - counted->levels[side];
	for (size_t i = 0; i < samples__n(counted->samples) && !err; i++)
		err = take_sum(folding, samples__at(counted->samples, i));
	for (size_t i = 0; i < n_places; i++)
		free(folding->places[i].v);
	free(folding->places);
	return err;
}

/* Collects the flags of the DSOs with samples, in all recordings. */
static int meet_all(struct folding *folding, struct counted *counted)
{
	size_t n = samples__n_places(counted->samples);
	uint8_t *sides = calloc(n + 1, sizeof(*sides));
	int err = sides ? 0 : -ENOMEM;

	folding->counted = counted;
	for (size_t i = 0; i < samples__n(counted->samples) && !err; i++) {
		const struct sample_sum *sum = samples__at(counted->samples, i);

		sides[samples__frame(counted->samples, sum->frame)->place] |= 1u << counted__side(
										      sum->group);
	}
	for (size_t i = 0; i < n && !err; i++)
		for (int side = 0; side < SIDES && !err; side++)
			if (sides[i] & 1u << side)
				err = meet(folding, i, side);
	free(sides);
	return err;
}

static void take_totals(
	struct comparison *comparison, const struct counted *counted, const char *event)
{
	uint32_t number = counted__event(counted, event);

	for (int side = 0; side < SIDES; side++) {
		struct side_total *total = &comparison->totals[side];

		if (number < counted->n_sums[side])
			total->squares += counted->sums[side][number].squares;
		total->life_ns += counted->life_ns[side];
	}
}

int fold(struct comparison *comparison, struct counted *counted, size_t n, const char *event,
	const struct diff_command *command, const struct slices *slices)
{
	struct folding folding = {.comparison = comparison, .command = command};
	int err = 0;

	for (int side = 0; side < SIDES; side++)
		comparison->totals[side].slices = slices[side];
	for (size_t i = 0; i < n && !err; i++)
		err = meet_all(&folding, &counted[i]);
	for (size_t i = 0; i < n && !err; i++) {
		take_totals(comparison, &counted[i], event);
		err = fold_one(&folding, &counted[i], event, slices);
	}
	free(folding.dsos);
	free(folding.marks);
	free(folding.stack);
	return err;
}
