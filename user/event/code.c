// SPDX-License-Identifier: GPL-2.0-only
/* Code events, see code.h. The bytes that a process wrote are not changed; readers parse them. */
#include "user/event/code.h"

#include <string.h>

#include "perfstamp/record.h"

static void decode_numbers(struct cursor *in, struct event_code *ret)
{
	ret->flags = cursor__u16(in);
	ret->kind = cursor__u8(in);
	cursor__skip(in, 5);
	ret->pid = cursor__u32(in);
	ret->stream = cursor__u32(in);
	ret->offset = cursor__u64(in);
	ret->since_ns = cursor__u64(in);
	ret->seen_ns = cursor__u64(in);
	ret->clock_ns = (int64_t)cursor__u64(in);
	ret->size = cursor__u32(in);
	cursor__skip(in, 4);
}

void event_code__decode_fields(struct cursor *in, struct cursor *behind, struct event *ret)
{
	struct event_code code = {0};

	decode_numbers(in, &code);
	code.bytes = cursor__bytes(behind, code.size);
	if (in->failed || behind->failed || code.since_ns > code.seen_ns) {
		behind->failed = true;
		return;
	}
	/* An extension of a later version is ignored: the record is then what it is for perf. */
	if (!code.kind || code.kind >= PERFSTAMP_CODE_KINDS)
		return;
	ret->kind = EVENT_CODE;
	ret->code = code;
}

void event_code__decode(struct cursor *body, struct event *ret)
{
	struct cursor peek = *body, in;
	uint16_t size;

	if (cursor__remaining(&peek) < sizeof(struct perfstamp_code_extension) ||
		cursor__u32(&peek) != PERFSTAMP_CODE_MAGIC)
		return;
	cursor__u16(&peek); /* version: a later version only appends fields */
	size = cursor__u16(&peek);
	in = cursor__sub(body, size);
	cursor__skip(&in, 8);
	event_code__decode_fields(&in, body, ret);
}

bool event_code__is_memory(const char *path)
{
	static const char *const BEGINS[] = {
		"/memfd:", "/dev/zero", "/anon_hugepage", "[anon:", "//anon"};

	for (size_t i = 0; i < sizeof(BEGINS) / sizeof(BEGINS[0]); i++)
		if (!strncmp(path, BEGINS[i], strlen(BEGINS[i])))
			return true;
	return false;
}
