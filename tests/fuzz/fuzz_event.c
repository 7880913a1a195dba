// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer on the record decoder alone, which needs no file around each record:
 * the input's first bytes say how two events are laid out, what follows is one
 * record. Any bytes give an event or -EBADMSG, and what the event points to is
 * there.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "user/base/cursor.h"
#include "user/event/copy.h"
#include "user/event/decode.h"
#include "user/event/native.h"

static volatile uint64_t sum;

static void touch(const struct event *event)
{
	if (event->kind == EVENT_SAMPLE)
		for (uint64_t i = 0; i < event->sample.n_callchain; i++) {
			uint64_t ip;

			memcpy(&ip, event->sample.callchain + i, sizeof(ip));
			sum += ip;
		}
	if (event->kind == EVENT_NAMESPACES)
		for (uint64_t i = 0; i < event->namespaces.n; i++)
			sum += event->namespaces.links[i].ino;
	if (event->kind == EVENT_MAP)
		sum += strlen(event->map.path);
	if (event->kind == EVENT_MODULE)
		sum += strlen(event->module.state.name) + event->module.state.build_id_size;
}

static void add_attr(struct event_decoder *decoder, struct cursor *in, uint64_t id)
{
	struct perf_event_attr attr = {
		.sample_type = cursor__u64(in) & ((1ull << 26) - 1),
		.read_format = cursor__u8(in),
		.branch_sample_type = cursor__u32(in),
		.sample_regs_user = cursor__u64(in),
		.sample_regs_intr = cursor__u64(in),
	};
	uint8_t flags = cursor__u8(in);

	attr.sample_id_all = flags & 1;
	if (flags & 2)
		native_attr__set(&attr, NATIVE_ATTR_MMAP3);
	if (flags & 4)
		native_attr__set(&attr, NATIVE_ATTR_MODULE);
	if (event_decoder__add_attr(decoder, &attr, &id, 1))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct event_decoder *decoder;
	struct event event, *copy;
	struct cursor in;
	size_t copy_size;
	void *record;
	int ret;

	cursor__init(&in, bytes, size, false);
	if (event_decoder__new(&decoder, cursor__u8(&in) & 1))
		return 0;
	add_attr(decoder, &in, 1);
	add_attr(decoder, &in, 2);
	size = cursor__remaining(&in);
	record = malloc(size ? size : 1); /* of just this size, for ASan */
	if (record && size && !in.failed) {
		memcpy(record, cursor__bytes(&in, size), size);
		ret = event_decoder__decode(decoder, record, size, &event, NULL);
		if (ret && ret != -EBADMSG)
			abort();
		if (!ret) {
			touch(&event);
			copy = event__copy(&event, &copy_size);
			if (copy)
				touch(copy);
			free(copy);
			event_decoder__check_id(decoder, &event);
		}
	}
	free(record);
	event_decoder__free(decoder);
	return 0;
}
