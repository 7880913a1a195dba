// SPDX-License-Identifier: GPL-2.0-only
/* diff_view__json: see diff.h. One object for the whole, then one for each that has samples. */
#include "user/view/diff/private.h"
#include "user/view/format/json.h"

static const char *const SIDE_NAMES[SIDES] = {"before", "after"};

static struct json_object *side_of(const struct diff_view *view, enum comparison_side number)
{
	const struct diff_side *side = &view->sides[number];
	const struct side_total *total = &view->comparison->totals[number];
	struct json_object *object = json_object_new_object();

	json__add_text(object, "file", side->file);
	json__add_number(object, "files", side->n_files);
	json__add_text(object, "path", side->path);
	json__add_text(object, "build", *side->build_id ? side->build_id : NULL);
	json__add_text(object, "selection", side->selection);
	json__add_number(object, "samples", total->n);
	json_object_object_add(object, "period", json_object_new_double(total->weight));
	json__add_number(object, "processes", side->n_processes);
	json__add_number(object, "first_ns", side->first_ns);
	json__add_number(object, "last_ns", side->last_ns);
	json__add_number(object, "life_ns", total->life_ns);
	if (view->per_event)
		json__add_number(object, "per_event_count", (uint64_t)total->per);
	return object;
}

static void write_whole(FILE *out, const struct diff_view *view)
{
	const struct differences *functions = view->kinds[UNIT_FUNCTION];
	struct json_object *object = json_object_new_object();

	json__add_text(object, "type", "comparison");
	json__add_text(object, "event", view->event);
	json__add_text(object, "per", diff_view__per(view->per));
	json__add_text(object, "per_event", view->per_event);
	json__add_number(object, "functions", functions->n);
	json__add_number(object, "tested", functions->n_tested);
	json__add_number(object, "marked", functions->n_marked);
	for (int side = 0; side < SIDES; side++)
		json_object_object_add(object, SIDE_NAMES[side], side_of(view, side));
	json__write_line(object, out);
}

static void add_double(struct json_object *object, const char *key, double value)
{
	json_object_object_add(object, key, json_object_new_double(value));
}

static void add_values(struct json_object *object, const struct difference *difference)
{
	add_double(object, "before", difference->values[BEFORE]);
	add_double(object, "after", difference->values[AFTER]);
	json__add_number(object, "samples_before", difference->n[BEFORE]);
	json__add_number(object, "samples_after", difference->n[AFTER]);
	add_double(object, "change", difference->values[AFTER] - difference->values[BEFORE]);
	add_double(object, "low", difference->change.low);
	add_double(object, "high", difference->change.high);
	add_double(object, "p", difference->p_value);
	json__add_bool(object, "marked", difference->marked);
}

static void add_function(
	struct json_object *object, const struct diff_view *view, const struct unit *unit)
{
	json__add_text(object, "dso", diff_view__text_at(view, unit->a));
	json__add_text(object, "symbol", unit->nameless ? NULL : diff_view__text_at(view, unit->b));
	json__add_text(object, "file", diff_view__text_at(view, unit->c));
}

static void add_kind(struct json_object *object, const struct diff_view *view,
	const struct difference *difference, const struct unit *unit)
{
	const struct differences *functions = view->kinds[UNIT_FUNCTION];

	json__add_text(object, "kind", diff_view__kind(difference->kind));
	if (difference->kind == DIFFERENCE_MOVED)
		json__add_text(object, "dso_before", diff_view__dso(view, unit, BEFORE));
	if (difference->kind == DIFFERENCE_INLINED)
		json__add_text(object, "into", diff_view__text_at(view, unit->into[AFTER]));
	if (difference->kind == DIFFERENCE_OUTLINED)
		json__add_text(object, "into", diff_view__text_at(view, unit->into[BEFORE]));
	if (difference->renamed != COMPARISON_NONE)
		json__add_text(object, "maybe_renamed",
			diff_view__text_at(view,
				view->comparison->units[functions->v[difference->renamed].unit].b));
}

static struct json_object *object_of(
	const struct diff_view *view, const struct difference *difference, enum unit_kind kind)
{
	static const char *const TYPES[UNIT_KINDS] = {
		[UNIT_FUNCTION] = "function",
		[UNIT_CALLED] = "called",
		[UNIT_CALL] = "call",
		[UNIT_LINE] = "line",
	};
	const struct unit *units = view->comparison->units, *unit = &units[difference->unit];
	struct json_object *object = json_object_new_object();

	json__add_text(object, "type", TYPES[kind]);
	add_function(object, view, diff_view__function(view, unit));
	if (kind == UNIT_FUNCTION)
		add_kind(object, view, difference, unit);
	if (kind == UNIT_CALL)
		json__add_text(object, "caller", diff_view__text_at(view, units[unit->b].b));
	if (kind == UNIT_LINE)
		json__add_text(object, "srcline", diff_view__text_at(view, unit->b));
	add_values(object, difference);
	return object;
}

int diff_view__json(FILE *out, const struct diff_view *view)
{
	write_whole(out, view);
	for (int kind = 0; kind < UNIT_KINDS; kind++)
		for (size_t i = 0; view->kinds[kind] && i < view->kinds[kind]->n && !ferror(out);
			i++)
			json__write_line(
				object_of(view, &view->kinds[kind]->v[i], (enum unit_kind)kind),
				out);
	return 0;
}

struct json_object *diff_view__functions(const struct diff_view *view, size_t max)
{
	const struct differences *functions = view->kinds[UNIT_FUNCTION];
	struct json_object *array = json_object_new_array();
	size_t n = 0;

	for (size_t i = 0; array && i < functions->n && n < max; i++)
		if (diff_view__is_shown(view, &functions->v[i])) {
			json_object_array_add(
				array, object_of(view, &functions->v[i], UNIT_FUNCTION));
			n++;
		}
	return array;
}
