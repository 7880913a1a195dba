// SPDX-License-Identifier: GPL-2.0-only
/* report_view__json: see report.h. One object a row, then what has no name. */
#include <inttypes.h>

#include "user/view/json.h"
#include "user/view/names.h"
#include "user/view/report_private.h"

static void add_dso(struct json_object *object, const struct report_view *view, uint32_t place)
{
	const struct place *at = samples__place(view->samples, place);
	const struct sighting *sighting = at->sighting == SAMPLES_NONE
						  ? NULL
						  : model__sighting(view->model, at->sighting);
	const struct perfstamp_identity *identity = report_view__identity(view, place);
	char name[256];

	json__add_text(object, "dso", report_view__dso(view, place, name, sizeof(name)));
	json__add_text(object, "path", sighting ? sighting->path : NULL);
	json__add_bytes(object, "build_id", identity ? identity->build_id : NULL,
		identity ? identity->build_id_size : 0);
	json__add_bytes(object, "cookie", identity ? identity->cookie : NULL,
		identity ? identity->cookie_size : 0);
}

static void add_place(struct json_object *object, const struct report_view *view, uint32_t place)
{
	const struct place *at = samples__place(view->samples, place);
	const struct resolved *resolved = &view->resolved[place];

	json__add_bool(object, "kernel", at->in_kernel);
	json__add_text(object, "symbol", resolved->name);
	json__add_text(object, "origin", report_view__origin(resolved->origin));
	if (!resolved->name)
		json__add_number(object, "address", at->offset);
	json__add_text(object, "lack", report_view__lack(resolved->lack));
}

static void add_key(struct json_object *object, const struct report_view *view,
	const struct report_row *row, enum report_key key)
{
	switch (key) {
	case REPORT_COMM:
		json__add_text(object, "comm", samples__text(view->samples, row->comm));
		break;
	case REPORT_PID:
		json__add_number(object, "pid", row->pid);
		break;
	case REPORT_TID:
		json__add_number(object, "tid", row->tid);
		break;
	case REPORT_CPU:
		json__add_number(object, "cpu", row->cpu);
		break;
	case REPORT_CGROUP:
		json__add_number(object, "cgroup", row->cgroup);
		json__add_text(object, "cgroup_path", model__cgroup_path(view->model, row->cgroup));
		break;
	case REPORT_DSO:
		add_dso(object, view, row->place);
		break;
	case REPORT_SYM:
		add_place(object, view, row->place);
		break;
	case REPORT_SRCLINE:
		json__add_text(object, "srcline", view->resolved[row->place].srcline);
		break;
	case REPORT_BUILD_ID:
	case REPORT_KEYS:
		break;
	}
}

static bool has_key(const struct report_options *options, enum report_key key)
{
	for (size_t i = 0; i < options->n_keys; i++)
		if (options->keys[i] == key)
			return true;
	return false;
}

int report_view__json(FILE *out, const struct report_view *view)
{
	const struct report_options *options = view->options;
	size_t n = report__n_rows(view->report);

	for (size_t i = 0; i < n && !ferror(out); i++) {
		const struct report_row *row = report__row(view->report, i);
		struct json_object *object;

		if (!report_view__is_shown(view, row))
			continue;
		object = json_object_new_object();
		json__add_text(object, "type", "row");
		json__add_text(object, "event",
			row->event < view->n_events ? view->events[row->event] : NULL);
		/* An id alone is told with the DSO that it is of. */
		if (has_key(options, REPORT_BUILD_ID) && !has_key(options, REPORT_DSO))
			add_dso(object, view, row->place);
		for (size_t k = 0; k < options->n_keys; k++)
			add_key(object, view, row, options->keys[k]);
		json__add_number(object, "samples", row->n);
		json__add_number(object, "period", row->period);
		if (options->children) {
			json__add_number(object, "children_samples", row->children_n);
			json__add_number(object, "children_period", row->children_period);
		}
		json__add_number(
			object, "total_period", report__total_period(view->report, row->event));
		json__write_line(object, out);
	}
	return 0;
}
