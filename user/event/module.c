// SPDX-License-Identifier: GPL-2.0-only
/*
 * Module events, see module.h.
 */
#include "user/event/module.h"

#include <errno.h>
#include <string.h>

static bool is_sound(const struct perfstamp_module_state *state)
{
	return state->build_id_size <= PERFSTAMP_BUILD_ID_MAX &&
	       memchr(state->name, 0, sizeof(state->name));
}

static void decode_state(struct cursor *in, struct perfstamp_module_state *ret)
{
	ret->text_addr = cursor__u64(in);
	ret->init_addr = cursor__u64(in);
	ret->text_size = cursor__u32(in);
	ret->init_size = cursor__u32(in);
	ret->init_result = (int32_t)cursor__u32(in);
	ret->ordinal = cursor__u32(in);
	ret->event = cursor__u8(in);
	ret->source = cursor__u8(in);
	ret->reason = cursor__u8(in);
	ret->build_id_size = cursor__u8(in);
	cursor__copy(in, ret->build_id, sizeof(ret->build_id));
	cursor__copy(in, ret->name, sizeof(ret->name));
}

int event_module__decode_fields(struct cursor *in, struct event_module *ret, uint16_t *ret_number)
{
	ret->flags = cursor__u16(in);
	*ret_number = cursor__u16(in);
	cursor__skip(in, 4);
	decode_state(in, &ret->state);
	return in->failed || !is_sound(&ret->state) ? -EBADMSG : 0;
}

void event_module__set(const struct event_module *module, struct event *ret)
{
	/* An extension of a later version is ignored: the record is then what it is for perf. */
	if (!module->state.event || module->state.event >= PERFSTAMP_MODULE_EVENT_COUNT)
		return;
	ret->kind = EVENT_MODULE;
	ret->module = *module;
}

void event_module__decode(struct cursor *body, const char *path, struct event *ret)
{
	struct cursor peek = *body, in;
	struct event_module module = {.path = path};
	uint16_t size, number;

	if (cursor__remaining(&peek) < sizeof(struct perfstamp_module_extension) ||
		cursor__u32(&peek) != PERFSTAMP_MODULE_MAGIC)
		return;
	cursor__u16(&peek); /* the version: a later version only appends fields */
	size = cursor__u16(&peek);
	in = cursor__sub(body, size);
	cursor__skip(&in, 8);
	if (event_module__decode_fields(&in, &module, &number)) {
		body->failed = true;
		return;
	}
	event_module__set(&module, ret);
}

int event_module__from_record(struct event *ret, const void *record, size_t size, struct error *err)
{
	const struct perfstamp_module *module = record;

	if (size < sizeof(*module) || module->record.type != PERFSTAMP_RECORD_MODULE ||
		!is_sound(&module->state) || !module->state.event ||
		module->state.event >= PERFSTAMP_MODULE_EVENT_COUNT ||
		module->path_size > size - sizeof(*module) ||
		(module->path_size && module->path[module->path_size - 1]))
		return error__set(err, -EBADMSG, "a live module record contradicts itself");
	*ret = event__of_kernel(EVENT_MODULE, PERF_RECORD_KSYMBOL);
	ret->time_ns = module->record.time_ns;
	ret->tid = UINT32_MAX;
	ret->module.flags = module->record.flags;
	ret->module.state = module->state;
	return 0;
}

bool event_module__same(
	const struct perfstamp_module_state *a, const struct perfstamp_module_state *b)
{
	return a->text_addr == b->text_addr && a->text_size == b->text_size && a->build_id_size &&
	       a->build_id_size == b->build_id_size &&
	       !memcmp(a->build_id, b->build_id, a->build_id_size) && !strcmp(a->name, b->name);
}
