// SPDX-License-Identifier: GPL-2.0-only
/*
 * What runtimes write about their code: lines and records cut anywhere, those that are none,
 * and which name an address has at which time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/buffer.h"
#include "user/event/code.h"
#include "user/event/decode.h"
#include "user/model/profile/code_names.h"
#include "user/parse/code/code.h"
#include "notes_fixture.h"

/* ---- Parsing ---- */

static char found[4096];

/* "lines,…|tables/header|" */
static void note_detail(const struct code_detail *detail)
{
	struct code_line line;
	const char *file = NULL;
	struct cursor in;
	size_t at;

	cursor__init(&in, detail->lines, detail->lines_size, detail->swap);
	while (detail->lines && code_lines__next(&in, &file, &line)) {
		at = strlen(found);
		snprintf(found + at, sizeof(found) - at, "%llx:%.20s:%u,",
			(unsigned long long)line.addr, line.file, line.line);
	}
	at = strlen(found);
	snprintf(found + at, sizeof(found) - at, "|%.*s/%zu|",
		(int)(detail->unwind_size - detail->unwind_hdr_size),
		detail->unwind ? (const char *)detail->unwind : "", detail->unwind_hdr_size);
}

static int note(void *ctx, const struct code_name *name)
{
	size_t at;

	if (name->detail)
		note_detail(name->detail);
	at = strlen(found);

	(void)ctx;
	snprintf(found + at, sizeof(found) - at, "%llx+%llx=%.40s@%llu;",
		(unsigned long long)name->addr, (unsigned long long)name->size,
		name->name ? name->name : "(moved)", (unsigned long long)name->time_ns);
	return 0;
}

/* Whole, and cut in two at each byte: the same is found. */
static uint64_t parse(bool dump, const void *bytes, size_t size, const char *expected)
{
	uint64_t n_bad = 0;

	for (size_t cut = 0; cut <= size; cut++) {
		struct code_stream stream;

		found[0] = '\0';
		code_stream__init(&stream, dump);
		assert_int_equal(code_stream__feed(&stream, bytes, cut, note, NULL), 0);
		assert_int_equal(code_stream__feed(&stream, (const char *)bytes + cut, size - cut,
					 note, NULL),
			0);
		assert_string_equal(found, expected);
		n_bad = stream.n_bad;
		code_stream__free(&stream);
	}
	return n_bad;
}

static void test_lines_of_node_dotnet_wasmtime_and_luajit(void **state)
{
	const char *text = "7f00 10 hot one\n0x8000 0x20 Lazy:*f /a b.js:1\n9A 1f int [A] B::C\n"
			   "0x7f10 34 wasm[0]::f[1]::hot\n7f2b 1a4 TRACE_7::hot.lua:12\nff 1 un";
	const char *names = "7f00+10=hot one@0;8000+20=Lazy:*f /a b.js:1@0;9a+1f=int [A] B::C@0;"
			    "7f10+34=wasm[0]::f[1]::hot@0;7f2b+1a4=TRACE_7::hot.lua:12@0;";

	(void)state;
	assert_int_equal(parse(false, text, strlen(text), names), 0);
}

static void test_lines_that_are_none(void **state)
{
	static const char text[] =
		"zz 10 a\n10\n10 10\n10 10 \n10 0 empty\nffffffffffffffff 2 over\n"
		"10000000000000000 1 large\n10 1 nul\0byte\n\n20 1 good\n";

	(void)state;
	assert_int_equal(parse(false, text, sizeof(text) - 1, "20+1=good@0;"), 8);
}

static void test_a_line_too_long(void **state)
{
	size_t size = 20000;
	char *text = malloc(size);
	struct code_stream stream;

	(void)state;
	memset(text, 'x', size);
	memcpy(text, "10 1 ", 5);
	memcpy(text + size - 9, "\n30 1 b\n", 9);
	found[0] = '\0';
	code_stream__init(&stream, false);
	for (size_t at = 0; at < size - 1; at += 100)
		assert_int_equal(code_stream__feed(&stream, text + at,
					 at + 100 < size - 1 ? 100 : size - 1 - at, note, NULL),
			0);
	assert_string_equal(found, "30+1=b@0;");
	assert_int_equal(stream.n_bad, 1);
	assert_true(stream.rest.capacity < 20000);
	/* After a gap the rest of a line is none. */
	code_stream__gap(&stream);
	assert_int_equal(code_stream__feed(&stream, "ff 1 half\n40 1 c\n", 17, note, NULL), 0);
	assert_string_equal(found, "30+1=b@0;40+1=c@0;");
	code_stream__free(&stream);
	free(text);
}

static void put_header(struct buffer *out, uint64_t flags)
{
	buffer__u32(out, 0x4a695444);
	buffer__u32(out, 1);
	buffer__u32(out, 40);
	buffer__u32(out, 62);
	buffer__u32(out, 0);
	buffer__u32(out, 7);
	buffer__u64(out, 1);
	buffer__u64(out, flags);
}

static void put_load(
	struct buffer *out, uint64_t time_ns, uint64_t addr, uint64_t size, const char *name)
{
	buffer__u32(out, 0);
	buffer__u32(out, 56 + strlen(name) + 1 + 20);
	buffer__u64(out, time_ns);
	buffer__u32(out, 7);
	buffer__u32(out, 7);
	buffer__u64(out, addr);
	buffer__u64(out, addr);
	buffer__u64(out, size);
	buffer__u64(out, 0);
	buffer__append(out, name, strlen(name) + 1);
	buffer__zeros(out, 20);
}

static void put_other(struct buffer *out, uint32_t type, size_t size)
{
	buffer__u32(out, type);
	buffer__u32(out, 16 + size);
	buffer__u64(out, 3);
	buffer__zeros(out, size);
}

static void put_move(struct buffer *out, uint64_t time_ns, uint64_t from, uint64_t to)
{
	buffer__u32(out, 1);
	buffer__u32(out, 64);
	buffer__u64(out, time_ns);
	buffer__u64(out, 0);
	buffer__u64(out, to);
	buffer__u64(out, from);
	buffer__u64(out, to);
	buffer__u64(out, 16);
	buffer__u64(out, 0);
}

static void test_dump_records(void **state)
{
	struct buffer out;

	(void)state;
	buffer__init(&out, 0);
	put_header(&out, 0);
	put_load(&out, 100, 0x1000, 0x20, "first");
	put_other(&out, 2, 40); /* debug information */
	put_other(&out, 4, 8);  /* unwinding information */
	put_other(&out, 99, 5);
	put_move(&out, 200, 0x1000, 0x2000);
	put_load(&out, 300, 0x1000, 0, "empty");
	put_load(&out, 300, 0x3000, 1, "last");
	assert_int_equal(parse(true, out.data, out.size,
				 "1000+20=first@100;2000+10=(moved)@200;3000+1=last@300;"),
		1);
	buffer__free(&out);
}

static void put_line(struct buffer *out, uint64_t addr, uint32_t line, const char *file)
{
	buffer__u64(out, addr);
	buffer__u32(out, line);
	buffer__u32(out, 0);
	buffer__append(out, file, strlen(file) + 1);
}

static void put_record(struct buffer *out, uint32_t type, const struct buffer *body)
{
	buffer__u32(out, type);
	buffer__u32(out, 16 + body->size);
	buffer__u64(out, 3);
	buffer__append(out, body->data, body->size);
}

static void put_lines(struct buffer *out, uint64_t addr)
{
	struct buffer body;

	buffer__init(&body, 0);
	buffer__u64(&body, addr);
	buffer__u64(&body, 3);
	put_line(&body, addr, 10, "a.js");
	put_line(&body, addr + 4, 11, "\xff");
	put_line(&body, addr + 8, 5, "b.js");
	put_record(out, 2, &body);
	buffer__free(&body);
}

static void put_tables(struct buffer *out, const char *tables, uint64_t header)
{
	struct buffer body;

	buffer__init(&body, 0);
	buffer__u64(&body, strlen(tables));
	buffer__u64(&body, header);
	buffer__u64(&body, 0);
	buffer__append(&body, tables, strlen(tables));
	put_record(out, 4, &body);
	buffer__free(&body);
}

static void test_lines_and_tables(void **state)
{
	struct buffer out;

	(void)state;
	buffer__init(&out, 0);
	put_header(&out, 0);
	put_lines(&out, 0x1000);
	put_tables(&out, "framehdr", 3);
	put_load(&out, 100, 0x1000, 0x20, "both");
	put_load(&out, 100, 0x1000, 0x20, "neither");
	put_lines(&out, 0x1000);
	put_load(&out, 100, 0x2000, 0x20, "of another");
	put_tables(&out, "x", 1); /* nothing but a header */
	put_tables(&out, "frame", 0);
	put_load(&out, 100, 0x2000, 0x20, "tables");
	assert_int_equal(parse(true, out.data, out.size,
				 "1000:a.js:10,1004:a.js:11,1008:b.js:5,|frame/3|"
				 "1000+20=both@100;1000+20=neither@100;2000+20=of another@100;"
				 "|frame/0|2000+20=tables@100;"),
		0);
	buffer__free(&out);
}

/* Sizes that lie, a name without an end, and one that is too large to be read. */
static void test_details_that_are_none(void **state)
{
	struct buffer out, body;
	struct code_stream stream;

	(void)state;
	buffer__init(&out, 0);
	buffer__init(&body, 0);
	put_header(&out, 0);
	buffer__u64(&body, 0x1000);
	buffer__u64(&body, UINT64_MAX);
	buffer__zeros(&body, 16);
	buffer__append(&body, "abc", 3);
	put_record(&out, 2, &body);
	buffer__reset(&body);
	buffer__u64(&body, UINT64_MAX);
	buffer__u64(&body, UINT64_MAX - 1);
	buffer__u64(&body, 0);
	put_record(&out, 4, &body);
	put_load(&out, 100, 0x1000, 0x20, "a");
	/* Its file is that of the line before, of which there is none. */
	buffer__reset(&body);
	buffer__u64(&body, 0x1000);
	buffer__u64(&body, 1);
	put_line(&body, 0x1000, 1, "\xff");
	put_record(&out, 2, &body);
	put_load(&out, 100, 0x1000, 0x20, "b");
	assert_int_equal(
		parse(true, out.data, out.size, "|/0|1000+20=a@100;|/0|1000+20=b@100;"), 0);
	buffer__reset(&out);
	buffer__reset(&body);
	put_header(&out, 0);
	buffer__zeros(&body, 2 << 20);
	put_record(&out, 4, &body);
	put_load(&out, 100, 0x1000, 0x20, "c");
	found[0] = '\0';
	code_stream__init(&stream, true);
	for (size_t at = 0; at < out.size; at += 57344)
		assert_int_equal(code_stream__feed(&stream, out.data + at,
					 out.size - at < 57344 ? out.size - at : 57344, note, NULL),
			0);
	assert_string_equal(found, "1000+20=c@100;");
	assert_int_equal(stream.n_bad, 1);
	code_stream__free(&stream);
	buffer__free(&body);
	buffer__free(&out);
}

static void test_details_are_kept(void **state)
{
	struct code_unwind unwind = {(const uint8_t *)"tables", 6, 2}, ret;
	struct code_details *details;
	uint32_t a, b, line = 0;

	(void)state;
	assert_int_equal(code_details__new(&details), 0);
	assert_int_equal(code_details__begin(details, &a), 0);
	assert_int_equal(code_details__add_line(details, 8, 12, "b.js"), 0);
	assert_int_equal(code_details__add_line(details, 2, 10, "a.js"), 0);
	code_details__end(details);
	assert_int_equal(code_details__begin(details, &b), 0);
	assert_int_equal(code_details__set_unwind(details, &unwind), 0);
	assert_true(code_details__has_lines(details, a));
	assert_false(code_details__has_lines(details, b));
	assert_null(code_details__line(details, a, 1, &line));
	assert_string_equal(code_details__line(details, a, 2, &line), "a.js");
	assert_int_equal(line, 10);
	assert_string_equal(code_details__line(details, a, 7, &line), "a.js");
	assert_string_equal(code_details__line(details, a, 999, &line), "b.js");
	assert_int_equal(line, 12);
	assert_true(code_details__unwind(details, b, &ret));
	assert_memory_equal(ret.bytes, "tables", 6);
	assert_int_equal(ret.hdr_size, 2);
	assert_false(code_details__unwind(details, CODE_DETAILS_NONE, &ret));
	code_details__free(details);
}

static void test_dumps_that_are_none(void **state)
{
	struct buffer out;
	uint32_t size = 8;

	(void)state;
	buffer__init(&out, 0);
	buffer__zeros(&out, 64);
	parse(true, out.data, out.size, "");
	buffer__reset(&out);
	put_header(&out, 0);
	put_load(&out, 100, 0x1000, 0x20, "first");
	memcpy(out.data + 44, &size, sizeof(size)); /* shorter than its own begin */
	assert_int_equal(parse(true, out.data, out.size, ""), 1);
	buffer__free(&out);
}

/* ---- Which name when ---- */

static struct code_names *names;

static void add(uint32_t pid, uint64_t addr, uint64_t size, uint64_t from_ns, uint64_t sure_ns,
	const char *name)
{
	const struct code_entry entry = {
		.addr = addr, .size = size, .from_ns = from_ns, .sure_ns = sure_ns, .name = name};
	uint32_t life;

	assert_int_equal(code_names__life(names, pid, sure_ns, &life), 0);
	assert_int_equal(code_names__add(names, life, &entry), 0);
}

static void follow(enum event_kind kind, uint32_t pid, uint32_t ppid, uint64_t time_ns)
{
	struct event event = {.kind = kind, .pid = pid, .tid = pid, .time_ns = time_ns};

	if (kind == EVENT_FORK)
		event.fork.ppid = event.fork.ptid = ppid;
	else
		event.comm = (struct event_comm){"x", true};
	assert_int_equal(code_names__follow(names, &event), 0);
}

static void map_file(uint32_t pid, uint64_t addr, uint64_t len, uint64_t time_ns)
{
	const struct event event = {.kind = EVENT_MAP,
		.pid = pid,
		.tid = pid,
		.time_ns = time_ns,
		.map = {.addr = addr, .len = len, .path = "/lib/x.so", .executable = true}};

	assert_int_equal(code_names__follow(names, &event), 0);
}

static const char *at(uint32_t pid, uint64_t addr, uint64_t time_ns)
{
	uint32_t number;

	switch (code_names__find(names, pid, addr, time_ns, &number)) {
	case CODE_NAMED:
		return code_names__at(names, number).name;
	case CODE_UNDECIDED:
		return "?";
	case CODE_LATER:
		return "later";
	default:
		return "";
	}
}

static int begin_names(void **state)
{
	(void)state;
	return code_names__new(&names);
}

static int end_names(void **state)
{
	(void)state;
	code_names__free(names);
	return 0;
}

static void test_a_name_has_its_time(void **state)
{
	(void)state;
	add(1, 0x100, 0x10, 50, 50, "a");
	add(1, 0x100, 0x10, 60, 60, "b");
	add(1, 0x100, 0x10, 70, 80, "c");
	assert_int_equal(code_names__seal(names), 0);
	assert_string_equal(at(1, 0x108, 40), "later");
	assert_string_equal(at(1, 0x108, 50), "a");
	assert_string_equal(at(1, 0x10f, 59), "a");
	assert_string_equal(at(1, 0x108, 65), "b");
	assert_string_equal(at(1, 0x108, 75), "?");
	assert_string_equal(at(1, 0x108, 80), "c");
	assert_string_equal(at(1, 0x110, 80), "");
	assert_string_equal(at(1, 0xff, 80), "");
	assert_string_equal(at(2, 0x108, 80), "");
}

static void test_the_first_name_of_a_place(void **state)
{
	(void)state;
	add(1, 0x100, 0x10, 70, 80, "a");
	add(1, 0x200, 0x10, 70, 80, "b");
	add(1, 0x200, 0x10, 70, 80, "c");
	add(1, 0x100, 0x10, 90, 99, "a");
	assert_int_equal(code_names__seal(names), 0);
	assert_string_equal(at(1, 0x100, 70), "later");
	assert_string_equal(at(1, 0x100, 75), "a");
	assert_string_equal(at(1, 0x200, 75), "?");
	assert_string_equal(at(1, 0x200, 80), "c");
	/* Told again, it is the same. */
	assert_string_equal(at(1, 0x100, 95), "a");
}

static void test_a_part_that_is_used_again(void **state)
{
	(void)state;
	add(1, 0x100, 0x100, 10, 10, "large");
	add(1, 0x180, 0x10, 20, 30, "small");
	add(1, 0x400, 0x10, 10, 10, "other");
	map_file(1, 0x400, 0x1000, 40);
	add(1, 0x400, 0x10, 50, 50, "again");
	assert_int_equal(code_names__seal(names), 0);
	assert_string_equal(at(1, 0x100, 15), "large");
	assert_string_equal(at(1, 0x100, 25), "?");
	assert_string_equal(at(1, 0x100, 35), "");
	assert_string_equal(at(1, 0x185, 35), "small");
	assert_string_equal(at(1, 0x405, 35), "other");
	assert_string_equal(at(1, 0x405, 45), "later");
	assert_string_equal(at(1, 0x405, 50), "again");
}

static void test_processes(void **state)
{
	(void)state;
	add(1, 0x100, 0x10, 10, 10, "a");
	follow(EVENT_FORK, 2, 1, 20);
	add(1, 0x100, 0x10, 30, 30, "b");
	add(2, 0x200, 0x10, 30, 30, "child");
	follow(EVENT_COMM, 1, 0, 40);
	add(1, 0x300, 0x10, 50, 50, "next");
	follow(EVENT_FORK, 2, 1, 60);
	assert_int_equal(code_names__seal(names), 0);
	assert_string_equal(at(1, 0x100, 35), "b");
	assert_string_equal(at(2, 0x100, 35), "a");
	assert_string_equal(at(2, 0x200, 35), "child");
	assert_string_equal(at(1, 0x200, 35), "");
	assert_string_equal(at(1, 0x100, 45), "");
	assert_string_equal(at(2, 0x100, 65), "");
	assert_string_equal(at(2, 0x300, 65), "next");
	assert_string_equal(at(2, 0x200, 65), "");
}

static void test_many_at_one_place(void **state)
{
	char name[16];

	(void)state;
	for (uint64_t i = 0; i < 20000; i++) {
		snprintf(name, sizeof(name), "n%d", (int)(i % 100));
		add(1, 0x1000, 0x40, 10 * i, 10 * i, name);
	}
	assert_int_equal(code_names__seal(names), 0);
	for (uint64_t i = 0; i < 20000; i++) {
		snprintf(name, sizeof(name), "n%d", (int)(i % 100));
		assert_string_equal(at(1, 0x1020, 10 * i + 5), name);
	}
}

/* Ranges in ranges without end: nothing is decided, and soon. */
static void test_hostile_ranges(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < 20000; i++)
		add(1, 0x100000 - i, 2 * i + 1, 10, 10, "n");
	assert_int_equal(code_names__seal(names), 0);
	assert_string_equal(at(1, 0x100000, 20), "?");
}

/* ---- In a recording ---- */

static void test_record(void **state)
{
	static const char BYTES[] = "10 20 name\n";
	const struct perf_event_attr attr = {.size = sizeof(attr),
		.sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_IDENTIFIER,
		.sample_id_all = 1};
	const struct encode_trailer trailer = {.sample_type = attr.sample_type, .id = 5};
	const struct event event = {.kind = EVENT_CODE,
		.misc = PERF_RECORD_MISC_KERNEL,
		.time_ns = 99,
		.code = {.pid = 7,
			.stream = 3,
			.kind = PERFSTAMP_CODE_PERF_MAP,
			.offset = 1ull << 33,
			.since_ns = 40,
			.seen_ns = 50,
			.clock_ns = -5,
			.bytes = BYTES,
			.size = sizeof(BYTES) - 1}};
	struct event_decoder *decoder;
	struct buffer out;
	struct event ret;
	struct error err;
	uint64_t id = 5;

	(void)state;
	buffer__init(&out, 0);
	assert_int_equal(notes__encode(&out, &event, &trailer), 0);
	assert_int_equal(event_decoder__new(&decoder, false), 0);
	assert_int_equal(event_decoder__add_attr(decoder, &attr, &id, 1), 0);
	assert_int_equal(event_decoder__decode(decoder, out.data, out.size, &ret, &err), 0);
	assert_int_equal(ret.kind, EVENT_CODE);
	assert_int_equal(ret.time_ns, 99);
	assert_int_equal(ret.code.pid, 7);
	assert_int_equal(ret.code.stream, 3);
	assert_int_equal(ret.code.offset, 1ull << 33);
	assert_int_equal(ret.code.since_ns, 40);
	assert_int_equal(ret.code.seen_ns, 50);
	assert_int_equal(ret.code.clock_ns, -5);
	assert_int_equal(ret.code.size, sizeof(BYTES) - 1);
	assert_memory_equal(ret.code.bytes, BYTES, sizeof(BYTES) - 1);
	/* More bytes than there are: the text of the note ends earlier. */
	memset(out.data + 8 + 8 + strlen(PERFSTAMP_NOTE_PREFIX) + 88, 0, 4);
	assert_int_equal(event_decoder__decode(decoder, out.data, out.size, &ret, &err), -EBADMSG);
	event_decoder__free(decoder);
	buffer__free(&out);
}

int main(void)
{
#define WITH_NAMES(test) cmocka_unit_test_setup_teardown(test, begin_names, end_names)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_of_node_dotnet_wasmtime_and_luajit),
		cmocka_unit_test(test_lines_that_are_none),
		cmocka_unit_test(test_a_line_too_long),
		cmocka_unit_test(test_dump_records),
		cmocka_unit_test(test_dumps_that_are_none),
		cmocka_unit_test(test_lines_and_tables),
		cmocka_unit_test(test_details_that_are_none),
		cmocka_unit_test(test_details_are_kept),
		WITH_NAMES(test_a_name_has_its_time),
		WITH_NAMES(test_the_first_name_of_a_place),
		WITH_NAMES(test_a_part_that_is_used_again),
		WITH_NAMES(test_processes),
		WITH_NAMES(test_many_at_one_place),
		WITH_NAMES(test_hostile_ranges),
		cmocka_unit_test(test_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
