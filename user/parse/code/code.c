// SPDX-License-Identifier: GPL-2.0-only
/* Splits streams into lines and records, and parses perf map files: see code.h. */
#include "user/parse/code/code.h"

#include <errno.h>
#include <string.h>

#define LINE_MAX_BYTES (CODE_NAME_MAX + 64)

void code_stream__init(struct code_stream *stream, bool dump)
{
	*stream = (struct code_stream){.dump = dump};
	buffer__init(&stream->rest, 0);
}

void code_stream__free(struct code_stream *stream)
{
	buffer__free(&stream->rest);
	jitdump__free(&stream->jitdump);
}

void code_stream__gap(struct code_stream *stream)
{
	buffer__reset(&stream->rest);
	stream->n_bad++;
	if (stream->dump)
		stream->jitdump.bad = true;
	else
		stream->skips = true;
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Reads a hexadecimal number, with or without 0x, up to the next space. */
static bool take_number(const char **at, const char *end, uint64_t *ret)
{
	const char *begin;

	while (*at < end && **at == ' ')
		++*at;
	if (end - *at > 2 && (*at)[0] == '0' && ((*at)[1] == 'x' || (*at)[1] == 'X'))
		*at += 2;
	*ret = 0;
	for (begin = *at; *at < end && digit(**at) >= 0; ++*at) {
		if (*ret >> 60)
			return false;
		*ret = *ret << 4 | digit(**at);
	}
	return *at > begin && *at < end && **at == ' ';
}

/* Parses "START SIZE NAME". */
static int take_line(
	struct code_stream *stream, const char *line, size_t size, code_name_fn *fn, void *ctx)
{
	const char *at = line, *end = line + size;
	struct code_name name = {0};
	char text[CODE_NAME_MAX];
	size_t len;

	if (!size)
		return 0;
	if (!take_number(&at, end, &name.addr) || !take_number(&at, end, &name.size) ||
		!name.size || name.addr + name.size < name.addr || ++at == end ||
		memchr(at, '\0', end - at)) {
		stream->n_bad++;
		return 0;
	}
	len = end - at;
	if (len > sizeof(text) - 1)
		len = sizeof(text) - 1;
	memcpy(text, at, len);
	text[len] = '\0';
	name.name = text;
	return fn(ctx, &name);
}

/* Returns the size of the next line, or 0 if its end has not arrived. */
static size_t next_line(struct code_stream *stream, const char *bytes, size_t size,
	code_name_fn *fn, void *ctx, int *ret_code)
{
	const char *end = memchr(bytes, '\n', size);
	size_t len = end ? (size_t)(end - bytes) : size;

	if (stream->skips || len > LINE_MAX_BYTES) {
		stream->n_bad += !stream->skips;
		stream->skips = !end;
		return end ? len + 1 : len;
	}
	if (!end)
		return 0;
	*ret_code = take_line(stream, bytes, len, fn, ctx);
	return len + 1;
}

static int feed_lines(struct code_stream *stream, code_name_fn *fn, void *ctx, size_t *ret_used)
{
	const char *bytes = (const char *)stream->rest.data;
	size_t at = 0, used;
	int code = 0;

	while (!code && at < stream->rest.size) {
		used = next_line(stream, bytes + at, stream->rest.size - at, fn, ctx, &code);
		if (!used)
			break;
		at += used;
	}
	*ret_used = at;
	return code;
}

static int feed_dump(struct code_stream *stream, code_name_fn *fn, void *ctx, size_t *ret_used)
{
	uint64_t n_bad = stream->jitdump.n_bad;
	int code = jitdump__feed(
		&stream->jitdump, stream->rest.data, stream->rest.size, fn, ctx, ret_used);

	stream->n_bad += stream->jitdump.n_bad - n_bad;
	return code;
}

int code_stream__feed(
	struct code_stream *stream, const void *bytes, size_t size, code_name_fn *fn, void *ctx)
{
	size_t used = 0;
	int code;

	if (stream->jitdump.bad)
		return 0;
	/* The code itself may be large, and is skipped. */
	if (stream->jitdump.pass) {
		used = stream->jitdump.pass < size ? stream->jitdump.pass : size;
		stream->jitdump.pass -= used;
		bytes = (const char *)bytes + used;
		size -= used;
	}
	if (buffer__append(&stream->rest, bytes, size))
		return -ENOMEM;
	used = 0;
	code = stream->dump ? feed_dump(stream, fn, ctx, &used)
			    : feed_lines(stream, fn, ctx, &used);
	if (used) {
		memmove(stream->rest.data, stream->rest.data + used, stream->rest.size - used);
		buffer__truncate(&stream->rest, stream->rest.size - used);
	}
	return code;
}
