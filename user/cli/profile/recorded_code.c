// SPDX-License-Identifier: GPL-2.0-only
/* See recorded_code.h. */
#include "user/cli/profile/recorded_code.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "user/base/cursor.h"
#include "user/cli/cli.h"
#include "user/base/hash.h"
#include "user/parse/code/code.h"

#define NAMES_MAX (16u << 20) /* limit for one recording, in bytes */
#define ELF_HEADER_SIZE 0x40

struct stream {
	UT_hash_handle hh;
	uint32_t number;
	uint32_t life;
	uint64_t offset; /* offset of the next byte */
	struct code_stream parser;
};

struct recorded_code {
	struct code_names *names;
	struct stream *streams;
	uint64_t n;
	uint64_t n_bad;
};

/* A piece that is being parsed. */
struct piece {
	struct recorded_code *code;
	struct stream *stream;
	const struct event_code *event;
};

int recorded_code__new(struct recorded_code **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? code_names__new(&(*ret)->names) : -ENOMEM;
}

void recorded_code__free(struct recorded_code *code)
{
	struct stream *stream, *next;

	if (!code)
		return;
	HASH_ITER (hh, code->streams, stream, next) {
		HASH_DEL(code->streams, stream);
		code_stream__free(&stream->parser);
		free(stream);
	}
	code_names__free(code->names);
	free(code);
}

/* Sets the times of a name. Times in a jitdump are used only if they are possible. */
static void set_times(
	const struct piece *piece, const struct code_name *name, struct code_entry *to)
{
	const struct event_code *event = piece->event;
	uint64_t time_ns = name->time_ns + (uint64_t)event->clock_ns;

	to->from_ns = event->since_ns;
	to->sure_ns = event->seen_ns;
	if (!to->dump || piece->stream->parser.jitdump.no_times ||
		event->flags & PERFSTAMP_CODE_OTHER_CLOCK || !name->time_ns ||
		time_ns > event->seen_ns)
		return;
	to->from_ns = to->sure_ns = time_ns;
}

static void begin_lines(struct cursor *in, const char **file, const struct code_name *name)
{
	const struct code_detail *detail = name->detail;

	*file = NULL;
	cursor__init(in, detail->lines, detail->lines_size, detail->swap);
}

/*
 * Returns the address that line entries are relative to. V8 and LLVM write addresses in the file
 * that perf inject makes, behind its ELF header (perf-jit.cc, PerfJITEventListener.cpp). Others
 * write real addresses (tools/perf/jvmti).
 */
static uint64_t first_line_addr(const struct code_name *name)
{
	uint64_t lowest = UINT64_MAX;
	struct code_line line;
	const char *file;
	struct cursor in;

	begin_lines(&in, &file, name);
	while (code_lines__next(&in, &file, &line))
		if (line.addr < lowest)
			lowest = line.addr;
	return lowest >= name->addr && lowest - name->addr >= ELF_HEADER_SIZE
		       ? name->addr + ELF_HEADER_SIZE
		       : name->addr;
}

/* V8 of Node.js 20 can write the rest of a name that it has already freed. */
static bool is_file_name(const char *file)
{
	for (; *file; file++)
		if ((unsigned char)*file < ' ' || *file == 0x7f)
			return false;
	return true;
}

static int take_lines(struct code_details *details, const struct code_name *name)
{
	uint64_t first = first_line_addr(name);
	struct code_line line;
	const char *file;
	struct cursor in;
	int err = 0;

	begin_lines(&in, &file, name);
	while (!err && code_lines__next(&in, &file, &line))
		if (line.addr >= first && line.addr - first < name->size && is_file_name(line.file))
			err = code_details__add_line(
				details, line.addr - first, line.line, line.file);
	code_details__end(details);
	return err;
}

/*
 * Adds lines and unwind tables. If there is no space for them, counts this; the name is still
 * valid.
 */
static int take_detail(struct recorded_code *code, const struct code_name *name, uint32_t *ret)
{
	const struct code_detail *detail = name->detail;
	const struct code_unwind unwind = {
		detail->unwind, detail->unwind_size, detail->unwind_hdr_size};
	struct code_details *details = code_names__details(code->names);
	int err = code_details__begin(details, ret);

	if (err == -E2BIG)
		*ret = CODE_DETAILS_NONE;
	if (!err && detail->lines)
		err = take_lines(details, name);
	if (!err && detail->unwind)
		err = code_details__set_unwind(details, &unwind);
	code->n_bad += err == -E2BIG;
	return err == -E2BIG ? 0 : err;
}

static int take_name(void *ctx, const struct code_name *name)
{
	const struct piece *piece = ctx;
	struct recorded_code *code = piece->code;
	struct code_entry entry = {
		.addr = name->addr,
		.size = name->size,
		.name = name->name,
		.dump = piece->event->kind == PERFSTAMP_CODE_JITDUMP,
		.detail = CODE_DETAILS_NONE,
	};
	struct code_entry before;

	if (++code->n > NAMES_MAX) {
		code->n_bad++;
		return 0;
	}
	set_times(piece, name, &entry);
	if (name->detail && take_detail(code, name, &entry.detail))
		return -ENOMEM;
	if (!entry.name) {
		before = code_names__newest(code->names, piece->stream->life, name->moved_from);
		entry.name = before.name;
		entry.detail = before.detail;
	}
	return code_names__add(code->names, piece->stream->life, &entry);
}

static int find_stream(
	struct recorded_code *code, const struct event_code *event, struct stream **ret)
{
	struct stream *stream;

	HASH_FIND(hh, code->streams, &event->stream, sizeof(event->stream), stream);
	*ret = stream;
	if (stream)
		return 0;
	stream = calloc(1, sizeof(*stream));
	if (!stream)
		return -ENOMEM;
	stream->number = event->stream;
	code_stream__init(&stream->parser, event->kind == PERFSTAMP_CODE_JITDUMP);
	HASH_ADD(hh, code->streams, number, sizeof(stream->number), stream);
	if (!hash__added(stream)) {
		free(stream);
		return -ENOMEM;
	}
	*ret = stream;
	return code_names__life(code->names, event->pid, event->seen_ns, &stream->life);
}

static int take_piece(struct recorded_code *code, const struct event_code *event)
{
	struct piece piece = {.code = code, .event = event};
	int err = find_stream(code, event, &piece.stream);
	uint64_t bad;

	if (err)
		return err;
	bad = piece.stream->parser.n_bad;
	if (event->offset != piece.stream->offset)
		code_stream__gap(&piece.stream->parser);
	piece.stream->offset = event->offset + event->size;
	err = code_stream__feed(
		&piece.stream->parser, event->bytes, event->size, take_name, &piece);
	code->n_bad += piece.stream->parser.n_bad - bad;
	return err;
}

int recorded_code__take(struct recorded_code *code, const struct event *event)
{
	return event->kind == EVENT_CODE ? take_piece(code, &event->code)
					 : code_names__follow(code->names, event);
}

int recorded_code__names(struct recorded_code *code, const struct code_names **ret)
{
	*ret = code->n ? code->names : NULL;
	return code->n ? code_names__seal(code->names) : 0;
}

void recorded_code__warn(const struct recorded_code *code)
{
	if (code->n_bad)
		cli__fail("warning: %" PRIu64 " lines or records about code made at run time "
			  "cannot be read, or are missing",
			code->n_bad);
}
