// SPDX-License-Identifier: GPL-2.0-only
/* timeline_comparison__make: see timeline.h. */
#include "user/view/format/json.h"
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
