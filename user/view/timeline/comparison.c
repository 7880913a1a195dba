// SPDX-License-Identifier: GPL-2.0-only
/* timeline_comparison__make: see timeline.h; timeline_comparisons__fit: see private.h. */
#include <json-c/json.h>
#include <string.h>

#include "user/view/format/json.h"
#include "user/view/timeline/private.h"
#include "user/view/timeline/timeline.h"

#define FUNCTIONS_MAX 30u /* that the page has room for */

struct json_object *timeline_comparison__make(const struct diff_view *view)
{
	const struct differences *functions = view->kinds[UNIT_FUNCTION];
	struct json_object *object = json_object_new_object();
	struct json_object *rows = diff_view__functions(view, FUNCTIONS_MAX);

	json__add_text(object, "path", view->sides[BEFORE].path);
	json__add_text(object, "event", view->event);
	json__add_text(object, "before", view->sides[BEFORE].build_id);
	json__add_text(object, "after", view->sides[AFTER].build_id);
	json__add_number(object, "samples_before", view->comparison->totals[BEFORE].n);
	json__add_number(object, "samples_after", view->comparison->totals[AFTER].n);
	json__add_number(object, "marked", functions->n_marked);
	json__add_number(object, "tested", functions->n_tested);
	json_object_object_add(object, "functions", rows);
	return object;
}

/* Adds the first of @functions that fit into *@room. Returns how many do not. */
static size_t add_functions(struct json_object *array, struct json_object *functions, size_t *room)
{
	size_t n = functions ? json_object_array_length(functions) : 0, i;

	for (i = 0; i < n; i++) {
		struct json_object *function = json_object_array_get_idx(functions, i);
		size_t size = json__script_size(function) + 1;

		if (size > *room)
			break;
		*room -= size;
		json_object_array_add(array, json_object_get(function));
	}
	return n - i;
}

/* Copies @comparison with the functions that fit into *@room. Returns NULL if it does not fit. */
static struct json_object *fit(struct json_object *comparison, size_t *room)
{
	struct json_object *object = json_object_new_object();
	struct json_object *array = json_object_new_array(), *functions = NULL;
	size_t size, left_out;

	if (!comparison || !object || !array) {
		json_object_put(object);
		json_object_put(array);
		return NULL;
	}
	for (struct lh_entry *entry = json_object_get_object(comparison)->head; entry;
		entry = entry->next) {
		struct json_object *value = (struct json_object *)lh_entry_v(entry);

		if (!strcmp(lh_entry_k(entry), "functions"))
			functions = value;
		else
			json_object_object_add(object, lh_entry_k(entry), json_object_get(value));
	}
	json_object_object_add(object, "functions", array);
	json__add_number(
		object, "functions_left_out", functions ? json_object_array_length(functions) : 0);
	size = json__script_size(object) + 1;
	if (size > *room) {
		json_object_put(object);
		return NULL;
	}
	*room -= size;
	left_out = add_functions(array, functions, room);
	json__add_number(object, "functions_left_out", left_out);
	return object;
}

struct json_object *timeline_comparisons__fit(
	struct json_object *comparisons, size_t room, uint64_t *ret_left_out)
{
	struct json_object *array = json_object_new_array(), *object;
	size_t n = comparisons ? json_object_array_length(comparisons) : 0;

	*ret_left_out = 0;
	/* Room that one comparison does not need is left for the next ones. */
	for (size_t i = 0; array && i < n; i++) {
		size_t share = room / (n - i), left = share;

		object = fit(json_object_array_get_idx(comparisons, i), &left);
		room -= share - left;
		if (object)
			json_object_array_add(array, object);
		else
			++*ret_left_out;
	}
	return array;
}
