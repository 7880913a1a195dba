// SPDX-License-Identifier: GPL-2.0-only
/* report_view__json: see report.h. Writes one object for each row, then one for each call chain. */
#include <inttypes.h>

#include "user/view/headline.h"
#include "user/view/format/json.h"
#include "user/view/format/names.h"
#include "user/view/report/private.h"
#include "user/view/report/report.h"

void report_view__add_dso(
	struct json_object *object, const struct report_view *view, uint32_t place)
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

static void add_place(
	struct json_object *object, const struct report_view *view, const struct report_row *row)
{
	uint32_t place = row->place;
	const struct place *at = samples__place(view->samples, place);
	const struct resolved *resolved = &view->resolved[place];

	json__add_bool(object, "kernel", at->in_kernel);
	json__add_text(object, "symbol", row->inlined ? row->inlined : resolved->name);
	if (row->inlined)
		json__add_bool(object, "inlined", true);
	json__add_text(object, "origin", report_view__origin(resolved->origin));
	if (!resolved->name)
		json__add_number(object, "address", at->offset);
	json__add_text(object, "lack", report_view__lack(resolved->lack));
}

static const char *event_name(const struct report_view *view, uint32_t event)
{
	return event < view->n_events ? view->events[event] : NULL;
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
	case REPORT_PARALLELISM:
		json__add_number(object, "parallelism", row->parallelism);
		break;
	case REPORT_CGROUP:
		json__add_number(object, "cgroup", row->cgroup);
		json__add_text(object, "cgroup_path", model__cgroup_path(view->model, row->cgroup));
		break;
	case REPORT_DSO:
		report_view__add_dso(object, view, row->place);
		break;
	case REPORT_SYM:
		add_place(object, view, row);
		break;
	case REPORT_SRCLINE:
		json__add_text(object, "srcline", view->resolved[row->place].srcline);
		break;
	case REPORT_SRCFILE:
		json__add_text(object, "srcfile", report__srcfile(view->report, row->place));
		break;
	case REPORT_TIME:
		json__add_number(object, "time_ns", row->time_ns);
		break;
	case REPORT_PARENT:
		json__add_text(object, "parent", row->parent);
		break;
	default: /* an id is written with its DSO */
		break;
	}
}

/* Whether a whole chain has the same value of this key. */
static bool is_of_chain(enum report_key key)
{
	return key == REPORT_COMM || key == REPORT_PID || key == REPORT_TID || key == REPORT_CPU ||
	       key == REPORT_CGROUP || key == REPORT_TIME || key == REPORT_PARALLELISM;
}

static struct json_object *frame_of(const struct report_view *view, uint32_t number)
{
	const struct function *function = report__function(view->report, number);
	uint32_t place = function->place;
	const struct perfstamp_identity *identity = report_view__identity(view, place);
	const struct samples *samples = view->samples;
	const struct resolved *resolved = &view->resolved[place];
	struct json_object *object = json_object_new_object();
	char name[256];

	json__add_text(object, "symbol", function->inlined ? function->inlined : resolved->name);
	if (function->inlined)
		json__add_bool(object, "inlined", true);
	else if (!resolved->name)
		json__add_number(object, "address", samples__place(samples, place)->offset);
	json__add_bool(object, "kernel", samples__place(samples, place)->in_kernel);
	json__add_text(object, "dso", report_view__dso(view, place, name, sizeof(name)));
	if (identity && identity->build_id_size)
		json__add_bytes(object, "build_id", identity->build_id, identity->build_id_size);
	else if (identity && identity->cookie_size)
		json__add_bytes(object, "cookie", identity->cookie, identity->cookie_size);
	if (report_view__has_key(view, REPORT_SRCLINE))
		json__add_text(object, "srcline", resolved->srcline);
	return object;
}

static void write_chain(FILE *out, const struct report_view *view, const struct chain *chain)
{
	const struct chains *chains = report__chains(view->report);
	const struct report_row as_row = {
		.comm = chain->key.comm,
		.pid = chain->key.pid,
		.tid = chain->key.tid,
		.cpu = chain->key.cpu,
		.cgroup = chain->key.cgroup,
		.time_ns = chain->key.time_ns,
		.parallelism = chain->key.parallelism,
	};
	struct json_object *object = json_object_new_object(), *frames = json_object_new_array();

	json__add_text(object, "type", "chain");
	json__add_text(object, "event", event_name(view, chain->key.event));
	for (size_t k = 0; k < view->options->n_keys; k++)
		if (is_of_chain(view->options->keys[k]))
			add_key(object, view, &as_row, view->options->keys[k]);
	json__add_number(object, "samples", chain->n);
	json__add_number(object, "period", chain->period);
	for (uint32_t at = chain->key.frame; at != SAMPLES_NONE;) {
		const struct chain_frame *frame = chains__frame(chains, at);

		json_object_array_add(frames, frame_of(view, frame->function));
		at = frame->parent;
	}
	json_object_object_add(object, "frames", frames);
	json__write_line(object, out);
}

void report_view__json_recording(FILE *out, const struct report_view *view)
{
	const struct model_ledger *ledger = model__ledger(view->model);
	struct json_object *object = json_object_new_object();

	json__add_text(object, "type", "recording");
	json__add_number(object, "samples", ledger->samples);
	json__add_number(object, "samples_identified", headline__identified(ledger));
	json__add_number(object, "lost_records", ledger->lost_records);
	json__add_number(object, "lost_samples", ledger->lost_samples);
	json__write_line(object, out);
}

/* In the unit of periods, as a whole number. */
static void add_latency(
	struct json_object *object, const struct report_view *view, const struct report_row *row)
{
	json__add_number(object, "latency", (uint64_t)row->numbers->latency);
	if (view->options->children)
		json__add_number(
			object, "children_latency", (uint64_t)row->numbers->children_latency);
	json__add_number(
		object, "total_latency", (uint64_t)report__total_latency(view->report, row->event));
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
		json__add_text(object, "event", event_name(view, row->event));
		/* An id is written with its DSO. */
		if (report_view__has_key(view, REPORT_BUILD_ID) &&
			!report_view__has_key(view, REPORT_DSO))
			report_view__add_dso(object, view, row->place);
		for (size_t k = 0; k < options->n_keys; k++)
			add_key(object, view, row, options->keys[k]);
		json__add_number(object, "samples", row->numbers->n);
		json__add_number(object, "period", row->numbers->period);
		if (options->children) {
			json__add_number(object, "children_samples", row->numbers->children_n);
			json__add_number(object, "children_period", row->numbers->children_period);
		}
		json__add_number(
			object, "total_period", report__total_period(view->report, row->event));
		if (view->show_latency)
			add_latency(object, view, row);
		json__write_line(object, out);
	}
	n = view->graph ? chains__n(report__chains(view->report)) : 0;
	for (size_t i = 0; i < n && !ferror(out); i++)
		write_chain(out, view, chains__at(report__chains(view->report), i));
	return 0;
}
