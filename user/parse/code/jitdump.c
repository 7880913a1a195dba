// SPDX-License-Identifier: GPL-2.0-only
/*
 * See jitdump.h. The layouts are those of tools/perf/util/jitdump.h: a header, then records, each
 * of which begins with type, size and time.
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

/* Maximum bytes of a record on lines or unwinding of one function; larger ones are skipped. */
#define DETAIL_MAX (1u << 20)

/* bytes between the prefix and the name */
#define LOAD_SIZE 40
/* Bytes of the record that are read. */
#define LOAD_HEAD (PREFIX_SIZE + LOAD_SIZE + CODE_NAME_MAX)

/* Returns the size of the header, or 0 if it is incomplete or invalid. */
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
	cursor__skip(&in, 4); /* version; additions of a later one are skipped by their size */
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

void jitdump__free(struct jitdump *dump)
{
	buffer__free(&dump->lines);
	buffer__free(&dump->unwind);
}

/* Details belong only to the next function. */
static void forget_details(struct jitdump *dump)
{
	buffer__reset(&dump->lines);
	buffer__reset(&dump->unwind);
}

/*
 * Stores the body of a record. If the record is too large, @in has only a part of it, so it is
 * counted and skipped.
 */
static void keep_detail(
	struct jitdump *dump, struct buffer *to, struct cursor *in, uint32_t record_size)
{
	size_t size = cursor__remaining(in);

	buffer__reset(to);
	if (record_size > DETAIL_MAX) {
		dump->n_bad++;
		return;
	}
	if (buffer__append(to, cursor__bytes(in, size), size)) {
		buffer__reset(to);
		dump->n_bad++;
	}
}

bool code_lines__next(struct cursor *in, const char **file, struct code_line *ret)
{
	const char *name;

	if (!cursor__remaining(in))
		return false;
	ret->addr = cursor__u64(in);
	ret->line = cursor__u32(in);
	cursor__skip(in, 4); /* the discriminator */
	name = cursor__string(in);
	if (!name || in->failed)
		return false;
	/* "\xff" means the file of the line before. */
	if (strcmp(name, "\xff") != 0)
		*file = name;
	ret->file = *file;
	return ret->file;
}

static void find_lines(const struct jitdump *dump, uint64_t addr, struct code_detail *ret)
{
	struct cursor in;

	cursor__init(&in, dump->lines.data, dump->lines.size, dump->swap);
	if (cursor__u64(&in) != addr)
		return;
	cursor__skip(&in, 8);
	if (in.failed || !cursor__remaining(&in))
		return;
	ret->lines = in.at;
	ret->lines_size = cursor__remaining(&in);
}

static void find_unwind(const struct jitdump *dump, struct code_detail *ret)
{
	uint64_t size, header;
	struct cursor in;

	cursor__init(&in, dump->unwind.data, dump->unwind.size, dump->swap);
	size = cursor__u64(&in);
	header = cursor__u64(&in);
	cursor__skip(&in, 8); /* bytes that the process has mapped */
	if (in.failed || header >= size || size > cursor__remaining(&in))
		return;
	ret->unwind = in.at;
	ret->unwind_size = size;
	ret->unwind_hdr_size = header;
}

/* @in: the record after its prefix. */
static int take_load(
	struct jitdump *dump, struct cursor *in, uint64_t time_ns, code_name_fn *fn, void *ctx)
{
	struct code_detail detail = {.swap = dump->swap};
	struct code_name name = {.time_ns = time_ns};
	char text[CODE_NAME_MAX];
	size_t len;
	int code;

	cursor__skip(in, 4 + 4 + 8); /* pid, tid, vma */
	name.addr = cursor__u64(in);
	name.size = cursor__u64(in);
	cursor__skip(in, 8); /* the number of the function */
	len = in->failed ? 0 : strnlen((const char *)in->at, cursor__remaining(in));
	if (in->failed || !len || !is_range(&name)) {
		dump->n_bad++;
		forget_details(dump);
		return 0;
	}
	if (len > sizeof(text) - 1)
		len = sizeof(text) - 1;
	memcpy(text, in->at, len);
	text[len] = '\0';
	name.name = text;
	find_lines(dump, name.addr, &detail);
	find_unwind(dump, &detail);
	if (detail.lines || detail.unwind)
		name.detail = &detail;
	code = fn(ctx, &name);
	forget_details(dump);
	return code;
}

/* The record has no name: the moved code keeps the name that it had at its old address. */
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
	uint32_t type, record_size;
	uint64_t time_ns;

	cursor__init(&in, bytes, size, dump->swap);
	type = cursor__u32(&in);
	record_size = cursor__u32(&in);
	time_ns = cursor__u64(&in);
	if (type == CODE_LOAD)
		return take_load(dump, &in, time_ns, fn, ctx);
	if (type == CODE_MOVE)
		return take_move(dump, &in, time_ns, fn, ctx);
	if (type == CODE_DEBUG_INFO)
		keep_detail(dump, &dump->lines, &in, record_size);
	if (type == CODE_UNWINDING_INFO)
		keep_detail(dump, &dump->unwind, &in, record_size);
	return 0;
}

/* Returns how many of the @size bytes of the record at @in are read; the rest is skipped. */
static size_t looked_at(struct cursor in, uint32_t size)
{
	uint32_t type = cursor__u32(&in), most = LOAD_HEAD;

	if ((type == CODE_DEBUG_INFO || type == CODE_UNWINDING_INFO) && size <= DETAIL_MAX)
		most = DETAIL_MAX;
	return size < most ? size : most;
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
		cursor__init(&in, bytes, left, dump->swap);
		need = looked_at(in, size);
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
