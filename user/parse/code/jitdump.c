// SPDX-License-Identifier: GPL-2.0-only
/*
 * See jitdump.h. The layouts are those of tools/perf/util/jitdump.h: a header, then records,
 * each of which begins with its type, its size and its time.
 */
#include "user/parse/code/jitdump.h"

#include <errno.h>
#include <string.h>

#include "user/base/cursor.h"

#define MAGIC 0x4a695444u /* "JiTD" */
#define HEADER_SIZE 40
#define HEADER_MAX 4096
#define PREFIX_SIZE 16
#define FLAG_ARCH_TIMESTAMP 1u

enum record_type {
	CODE_LOAD,
	CODE_MOVE,
	CODE_DEBUG_INFO,
	CODE_CLOSE,
	CODE_UNWINDING_INFO,
};

#define LOAD_SIZE 40                                        /* behind the prefix, before the name */
#define LOAD_HEAD (PREFIX_SIZE + LOAD_SIZE + CODE_NAME_MAX) /* all that is looked at */

/* Returns the bytes it takes; 0: it is not whole yet. */
static size_t take_header(struct jitdump *dump, const uint8_t *bytes, size_t size)
{
	struct cursor in;
	uint32_t magic, header;
	uint64_t flags;

	if (size < HEADER_SIZE)
		return 0;
	memcpy(&magic, bytes, sizeof(magic));
	dump->swap = magic == __builtin_bswap32(MAGIC);
	cursor__init(&in, bytes, size, dump->swap);
	if (cursor__u32(&in) != MAGIC) {
		dump->bad = true;
		return 0;
	}
	cursor__skip(&in, 4); /* the version: what a later one adds is passed over by its size */
	header = cursor__u32(&in);
	cursor__skip(&in, 4 + 4 + 4 + 8); /* machine, padding, pid, time */
	flags = cursor__u64(&in);
	if (header < HEADER_SIZE || header > HEADER_MAX) {
		dump->bad = true;
		return 0;
	}
	if (size < header)
		return 0;
	dump->no_times = flags & FLAG_ARCH_TIMESTAMP;
	dump->headed = true;
	return header;
}

static bool is_range(const struct code_name *name)
{
	return name->size && name->addr + name->size >= name->addr;
}

/* @in has what there is of the record behind its prefix. */
static int take_load(
	struct jitdump *dump, struct cursor *in, uint64_t time_ns, code_name_fn *fn, void *ctx)
{
	struct code_name name = {.time_ns = time_ns};
	char text[CODE_NAME_MAX];
	size_t len;

	cursor__skip(in, 4 + 4 + 8); /* pid, tid, vma */
	name.addr = cursor__u64(in);
	name.size = cursor__u64(in);
	cursor__skip(in, 8); /* the number of the function */
	len = in->failed ? 0 : strnlen((const char *)in->at, cursor__remaining(in));
	if (in->failed || !len || !is_range(&name)) {
		dump->n_bad++;
		return 0;
	}
	if (len > sizeof(text) - 1)
		len = sizeof(text) - 1;
	memcpy(text, in->at, len);
	text[len] = '\0';
	name.name = text;
	return fn(ctx, &name);
}

/* It has no name: it is that of the code which was at the place before. */
static int take_move(
	struct jitdump *dump, struct cursor *in, uint64_t time_ns, code_name_fn *fn, void *ctx)
{
	struct code_name name = {.time_ns = time_ns};

	cursor__skip(in, 4 + 4 + 8);
	name.moved_from = cursor__u64(in);
	name.addr = cursor__u64(in);
	name.size = cursor__u64(in);
	if (in->failed || !is_range(&name)) {
		dump->n_bad++;
		return 0;
	}
	return fn(ctx, &name);
}

static int take_record(
	struct jitdump *dump, const uint8_t *bytes, size_t size, code_name_fn *fn, void *ctx)
{
	struct cursor in;
	uint32_t type;
	uint64_t time_ns;

	cursor__init(&in, bytes, size, dump->swap);
	type = cursor__u32(&in);
	cursor__skip(&in, 4);
	time_ns = cursor__u64(&in);
	if (type == CODE_LOAD)
		return take_load(dump, &in, time_ns, fn, ctx);
	if (type == CODE_MOVE)
		return take_move(dump, &in, time_ns, fn, ctx);
	return 0;
}

int jitdump__feed(struct jitdump *dump, const void *data, size_t left, code_name_fn *fn, void *ctx,
	size_t *ret_used)
{
	const uint8_t *bytes = data;
	size_t need;
	struct cursor in;
	uint32_t size;
	int code = 0;

	if (!dump->headed) {
		need = take_header(dump, bytes, left);
		bytes += need;
		left -= need;
	}
	while (!code && dump->headed && !dump->bad && left >= PREFIX_SIZE) {
		cursor__init(&in, bytes, left, dump->swap);
		cursor__skip(&in, 4);
		size = cursor__u32(&in);
		if (size < PREFIX_SIZE) {
			dump->n_bad++;
			dump->bad = true;
			break;
		}
		need = size < LOAD_HEAD ? size : LOAD_HEAD;
		if (left < need)
			break;
		code = take_record(dump, bytes, need, fn, ctx);
		need = size < left ? size : left;
		dump->pass = size - need;
		bytes += need;
		left -= need;
	}
	*ret_used = bytes - (const uint8_t *)data;
	return code;
}
