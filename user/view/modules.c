// SPDX-License-Identifier: GPL-2.0-only
/*
 * See modules.h.
 */
#include "user/view/modules.h"

#include <inttypes.h>

#include "user/base/text.h"
#include "user/view/format/escaped.h"
#include "user/view/format/json.h"
#include "user/view/format/names.h"

void modules_view__dump(struct fields *fields, const struct event *event)
{
	const struct event_module *module = &event->module;
	const struct perfstamp_module_state *state = &module->state;

	fields->ops->text(fields, "module", state->name);
	fields->ops->text(fields, "event", name__module_event(state->event));
	fields->ops->hex(fields, "addr", state->text_addr);
	fields->ops->hex(fields, "len", state->text_size);
	if (state->init_size) {
		fields->ops->hex(fields, "init_addr", state->init_addr);
		fields->ops->hex(fields, "init_len", state->init_size);
	}
	if (state->build_id_size)
		fields->ops->bytes(fields, "build_id", state->build_id, state->build_id_size);
	else
		fields->ops->text(fields, "reason", name__reason(state->reason));
	if (state->source)
		fields->ops->text(fields, "source", name__source(state->source));
	if (state->init_result < 0)
		fields->ops->number(fields, "init_errno", -(int64_t)state->init_result);
	if (state->ordinal)
		fields->ops->number(fields, "ordinal", state->ordinal);
	if (module->flags & PERFSTAMP_MODULE_SNAPSHOT)
		fields->ops->flag(fields, "snapshot");
	if (module->flags & PERFSTAMP_MODULE_INIT_FAILED)
		fields->ops->flag(fields, "init_failed");
	if (module->flags & PERFSTAMP_MODULE_INFERRED)
		fields->ops->flag(fields, "inferred");
	if (module->flags & PERFSTAMP_MODULE_FROM_MEMORY)
		fields->ops->flag(fields, "from_memory");
	if (event->type == PERF_RECORD_MMAP2)
		fields->ops->text(fields, "path", module->path);
}

const char *modules_view__state(const struct module_life *life)
{
	if (life->init_failed)
		return "init-failed";
	return life->unloaded ? "unloaded" : "loaded";
}

static void write_time(FILE *out, bool known, uint64_t time_ns)
{
	char text[32] = "-";

	if (known && time_ns)
		snprintf(text, sizeof(text), "%" PRIu64 ".%09" PRIu64, time_ns / 1000000000,
			time_ns % 1000000000);
	fprintf(out, " %17s", text);
}

static void write_text(FILE *out, const struct module_life *life)
{
	char hex[2 * PERFSTAMP_BUILD_ID_MAX + 1] = "-";

	if (life->build_id_size)
		text__hex(hex, sizeof(hex), life->build_id, life->build_id_size);
	fprintf(out, "%-40s %016" PRIx64 " %8" PRIx64, hex, life->addr, life->len);
	write_time(out, true, life->loaded_ns);
	write_time(out, life->unloaded, life->unloaded_ns);
	fprintf(out, " %-11s %8" PRIu64 " ", modules_view__state(life), life->samples);
	escaped__write(out, life->name);
	fprintf(out, "%s\n", life->inferred ? " (time inferred)" : "");
}

static void write_json(FILE *out, const struct module_life *life)
{
	struct json_object *object = json_object_new_object();

	json__add_text(object, "module", life->name);
	json__add_text(object, "path", life->path[0] == '/' ? life->path : NULL);
	json__add_bytes(object, "build_id", life->build_id, life->build_id_size);
	json__add_text(object, "reason", life->build_id_size ? NULL : name__reason(life->reason));
	json__add_number(object, "addr", life->addr);
	json__add_number(object, "len", life->len);
	json__add_number(object, "loaded_ns", life->loaded_ns);
	json__add_number(object, "init_done_ns", life->init_done_ns);
	json__add_number(object, "unloaded_ns", life->unloaded_ns);
	json__add_text(object, "state", modules_view__state(life));
	json__add_number(
		object, "init_errno", life->init_result < 0 ? -(int64_t)life->init_result : 0);
	json__add_bool(object, "snapshot", life->snapshot);
	json__add_bool(object, "inferred", life->inferred);
	json__add_bool(object, "from_memory", life->from_memory);
	json__add_number(object, "samples", life->samples);
	json__write_line(object, out);
}

void modules_view__list(FILE *out, const struct model *model, bool json)
{
	size_t n = model__n_modules(model);

	if (!json)
		fprintf(out, "%-40s %-16s %8s %17s %17s %-11s %8s %s\n", "BUILD-ID", "TEXT", "SIZE",
			"LOADED", "UNLOADED", "STATE", "SAMPLES", "MODULE");
	for (size_t i = 0; i < n; i++) {
		if (json)
			write_json(out, model__module(model, i));
		else
			write_text(out, model__module(model, i));
	}
}
