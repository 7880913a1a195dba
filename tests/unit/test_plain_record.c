// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records without what perfstamp adds: of version 1 what remains is the string, padded, and
 * the trailer, in either byte order; of version 2 the number of the note goes. What perf itself
 * wrote stays as it is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <byteswap.h>
#include <linux/perf_event.h>
#include <string.h>

#include "perfstamp/record.h"
#include "user/perfdata/encode.h"
#include "user/perfdata/repair/plain_record.h"

static const struct encode_trailer TRAILER = {
	.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_IDENTIFIER,
	.id = 7,
};
#define TRAILER_BYTES 24

static const char ABOUT[] = "name=web\nimage=x\n";

static struct event map_event(void)
{
	return (struct event){
		.kind = EVENT_MAP,
		.type = PERF_RECORD_MMAP2,
		.pid = 1,
		.tid = 2,
		.time_ns = 3,
		.map = {.path = "/usr/bin/server", .executable = true, .len = 4096},
	};
}

static struct event cgroup_event(bool extended)
{
	return (struct event){
		.kind = EVENT_CGROUP,
		.type = PERF_RECORD_CGROUP,
		.time_ns = 3,
		.cgroup = {.id = 9,
			.path = "/a.slice",
			.about = extended ? ABOUT : NULL,
			.about_size = extended ? sizeof(ABOUT) - 1 : 0},
	};
}

/* The record of @event, as version 1 has it: with @extension behind its string. */
static void make_version_1(
	struct event *event, const void *extension, size_t extension_size, struct buffer *ret)
{
	struct buffer plain;
	uint16_t size;

	buffer__init(&plain, 0);
	buffer__init(ret, 0);
	assert_int_equal(encode__event(&plain, event, &TRAILER), 0);
	buffer__append(ret, plain.data, plain.size - TRAILER_BYTES);
	buffer__append(ret, extension, extension_size);
	buffer__align(ret, 0, 8);
	buffer__append(ret, plain.data + plain.size - TRAILER_BYTES, TRAILER_BYTES);
	size = ret->size;
	memcpy(ret->data + 6, &size, sizeof(size));
	buffer__free(&plain);
}

/* The plain form of @event in version 1, and in *@ret_was its bytes before. */
static void make_plain(struct event *event, struct buffer *ret_was, struct buffer *ret)
{
	const struct perfstamp_extension map = {
		.magic = PERFSTAMP_EXTENSION_MAGIC, .version = 1, .size = sizeof(map)};
	struct {
		struct perfstamp_container_extension extension;
		char text[sizeof(ABOUT) - 1];
	} container = {
		.extension = {.magic = PERFSTAMP_CONTAINER_MAGIC,
			.version = 1,
			.size = PERFSTAMP_CONTAINER_SIZE_1,
			.text_size = sizeof(ABOUT) - 1},
	};
	bool has_text = event->kind == EVENT_CGROUP && event->cgroup.about_size;

	/* In version 1 the text is where the id of the cgroup is now. */
	memcpy((char *)&container + PERFSTAMP_CONTAINER_SIZE_1, ABOUT, sizeof(ABOUT) - 1);
	buffer__init(ret, 0);
	if (event->kind == EVENT_MAP)
		make_version_1(event, &map, sizeof(map), ret_was);
	else
		make_version_1(event, &container,
			has_text ? PERFSTAMP_CONTAINER_SIZE_1 + sizeof(ABOUT) - 1 : 0, ret_was);
	event->raw = ret_was->data;
	event->raw_size = ret_was->size;
	assert_int_equal(plain_record__put(ret, event, false), 0);
}

static uint16_t size_of(const struct buffer *record)
{
	uint16_t size;

	memcpy(&size, record->data + 6, sizeof(size));
	return size;
}

static void test_map(void **state)
{
	struct event event = map_event();
	struct buffer was, plain;

	(void)state;
	make_plain(&event, &was, &plain);
	assert_int_equal(was.size, 72 + 16 + 104 + TRAILER_BYTES);
	assert_int_equal(plain.size, 72 + 16 + TRAILER_BYTES);
	assert_int_equal(size_of(&plain), plain.size);
	assert_memory_equal(plain.data + 8, was.data + 8, 72 - 8 + 16);
	assert_memory_equal(plain.data + 88, was.data + was.size - TRAILER_BYTES, TRAILER_BYTES);
	buffer__free(&was);
	buffer__free(&plain);
}

static void test_cgroup(void **state)
{
	struct event event = cgroup_event(true), without = cgroup_event(false);
	struct buffer was, plain, as_is, expected;

	(void)state;
	make_plain(&event, &was, &plain);
	make_plain(&without, &expected, &as_is);
	assert_true(was.size > plain.size);
	assert_int_equal(plain.size, expected.size);
	assert_memory_equal(plain.data, expected.data, expected.size);
	assert_int_equal(as_is.size, expected.size);
	assert_memory_equal(as_is.data, expected.data, expected.size);
	buffer__free(&was);
	buffer__free(&plain);
	buffer__free(&as_is);
	buffer__free(&expected);
}

/* The numbers that count, as a machine of the other order writes them. */
static void test_other_order(void **state)
{
	struct event event = map_event();
	struct buffer was, plain, swapped;
	uint16_t size;
	uint32_t magic = bswap_32(PERFSTAMP_EXTENSION_MAGIC);

	(void)state;
	make_plain(&event, &was, &plain);
	size = bswap_16(was.size);
	memcpy(was.data + 6, &size, sizeof(size));
	memcpy(was.data + 88, &magic, sizeof(magic));
	size = bswap_16(104);
	memcpy(was.data + 88 + 6, &size, sizeof(size));
	buffer__init(&swapped, 0);
	assert_int_equal(plain_record__put(&swapped, &event, true), 0);
	assert_int_equal(swapped.size, plain.size);
	assert_int_equal(size_of(&swapped), bswap_16(plain.size));
	buffer__free(&was);
	buffer__free(&plain);
	buffer__free(&swapped);
}

/* An extension that says that it is longer than the record is none. */
static void test_lying_size(void **state)
{
	struct event event = map_event();
	struct buffer was, plain, same;
	uint16_t size = 40000;

	(void)state;
	make_plain(&event, &was, &plain);
	memcpy(was.data + 88 + 6, &size, sizeof(size));
	buffer__init(&same, 0);
	assert_int_equal(plain_record__put(&same, &event, false), 0);
	assert_int_equal(same.size, was.size);
	assert_memory_equal(same.data, was.data, was.size);
	buffer__free(&was);
	buffer__free(&plain);
	buffer__free(&same);
}

/* As the writer writes it today: in both orders the number goes, and all else stays. */
static void test_number(void **state)
{
	struct encode_trailer trailer = TRAILER;
	struct event event = map_event();
	struct buffer with, without, plain;
	uint32_t prot;

	(void)state;
	event.map.prot = 5;
	buffer__init(&with, 0);
	buffer__init(&without, 0);
	buffer__init(&plain, 0);
	assert_int_equal(encode__event(&without, &event, &trailer), 0);
	trailer.note = 0x1234;
	assert_int_equal(encode__event(&with, &event, &trailer), 0);
	assert_int_equal(with.size, without.size);
	event.raw = with.data;
	event.raw_size = with.size;
	assert_int_equal(plain_record__put(&plain, &event, false), 0);
	assert_memory_equal(plain.data, without.data, without.size);
	memcpy(&prot, with.data + 64, sizeof(prot));
	assert_int_equal(prot, 0x12340005);
	prot = bswap_32(prot);
	memcpy(with.data + 64, &prot, sizeof(prot));
	prot = bswap_32(5);
	memcpy(without.data + 64, &prot, sizeof(prot));
	buffer__reset(&plain);
	assert_int_equal(plain_record__put(&plain, &event, true), 0);
	assert_memory_equal(plain.data + 8, without.data + 8, without.size - 8);
	buffer__free(&with);
	buffer__free(&without);
	buffer__free(&plain);
}

static void test_note(void **state)
{
	struct event event = cgroup_event(false);
	struct buffer record;

	(void)state;
	buffer__init(&record, 0);
	assert_int_equal(encode__note(&record, 0, "note", 4, &TRAILER), 0);
	event.raw = record.data;
	event.raw_size = record.size;
	assert_true(plain_record__is_note(&event));
	record.data[8]--;
	assert_false(plain_record__is_note(&event));
	buffer__free(&record);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_map),
		cmocka_unit_test(test_cgroup),
		cmocka_unit_test(test_other_order),
		cmocka_unit_test(test_lying_size),
		cmocka_unit_test(test_number),
		cmocka_unit_test(test_note),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
