// SPDX-License-Identifier: GPL-2.0-only
/*
 * The light look at raw records of a ring.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <string.h>
#include <cmocka.h>

#include "user/parse/event/record_scan.h"

#define SAMPLE_TYPE                                                                                \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
		PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

struct words {
	uint64_t words[64];
	size_t n;
};

static uint64_t pair(uint32_t low, uint32_t high)
{
	uint32_t both[2] = {low, high};
	uint64_t value;

	memcpy(&value, both, sizeof(value));
	return value;
}

static void put(struct words *out, uint32_t type, size_t n, const uint64_t *body)
{
	struct perf_event_header header = {.type = type, .size = sizeof(header) + n * 8};

	memcpy(&out->words[out->n++], &header, sizeof(header));
	memcpy(&out->words[out->n], body, n * 8);
	out->n += n;
}

static void put_sample(struct words *out, uint64_t time)
{
	put(out, PERF_RECORD_SAMPLE, 6,
		(uint64_t[]){11, 0x1234, pair(5, 6), time, pair(3, 0), 999});
}

static void put_lost(struct words *out, uint64_t lost, uint64_t time)
{
	put(out, PERF_RECORD_LOST, 6, (uint64_t[]){11, lost, pair(7, 8), time, pair(1, 0), 12});
}

static void test_views(void **state)
{
	struct record_layout layout = record_layout__of(SAMPLE_TYPE);
	struct words in = {.n = 0};
	struct record_view view;
	const void *cursor = in.words, *end;

	(void)state;
	put_sample(&in, 100);
	put_lost(&in, 4, 200);
	end = in.words + in.n;
	assert_int_equal(record_view__next(&cursor, end, &layout, &view), 1);
	assert_ptr_equal(view.header, in.words);
	assert_int_equal(view.time_ns, 100);
	assert_int_equal(record_view__next(&cursor, end, &layout, &view), 1);
	assert_int_equal(view.header->type, PERF_RECORD_LOST);
	assert_int_equal(view.time_ns, 200);
	assert_int_equal(record_view__next(&cursor, end, &layout, &view), 0);
}

static void test_counts(void **state)
{
	struct record_layout layout = record_layout__of(SAMPLE_TYPE);
	struct record_counts counts = {0};
	struct record_list list = {0};
	struct words in = {.n = 0};

	(void)state;
	put_sample(&in, 300);
	put_sample(&in, 100);
	put_lost(&in, 4, 500);
	put(&in, PERF_RECORD_LOST_SAMPLES, 5, (uint64_t[]){3, pair(0, 0), 400, pair(0, 0), 12});
	put_lost(&in, 2, 450);
	assert_int_equal(record_list__read(&list, &counts, 0, &layout, in.words, in.n * 8), 0);
	assert_int_equal(list.n, 0);
	assert_int_equal(counts.samples, 2);
	assert_int_equal(counts.lost_records, 6);
	assert_int_equal(counts.lost_samples, 3);
	assert_int_equal(record_list__read(&list, &counts, 0, &layout, in.words, 0), 0);
	assert_int_equal(counts.samples, 2);
}

static void put_ksymbol(struct words *out, const char *name, uint64_t time)
{
	uint64_t body[7] = {0x4000, 0, 0, pair(0, 0), time, pair(1, 0), 12};
	const uint16_t type_and_flags[] = {
		PERF_RECORD_KSYMBOL_TYPE_BPF, PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER};

	body[1] = 64;
	memcpy((char *)&body[1] + 4, type_and_flags, sizeof(type_and_flags));
	memcpy(&body[2], name, strlen(name));
	put(out, PERF_RECORD_KSYMBOL, 7, body);
}

/* One pass counts all, and lists in order what somebody needs. */
static void test_list(void **state)
{
	const uint64_t wanted = RECORD_TYPE(PERF_RECORD_KSYMBOL) | RECORD_TYPE(PERF_RECORD_EXIT);
	struct record_layout layout = record_layout__of(SAMPLE_TYPE);
	struct record_counts counts = {0};
	struct record_list list = {0};
	struct record_ksymbol symbol;
	struct words in = {.n = 0};

	(void)state;
	put_sample(&in, 300);
	put_ksymbol(&in, "bpf_one", 310);
	put(&in, PERF_RECORD_FORK, 7, (uint64_t[]){1, 2, 320, pair(0, 0), 320, pair(1, 0), 12});
	put(&in, PERF_RECORD_EXIT, 7, (uint64_t[]){1, 2, 330, pair(0, 0), 330, pair(1, 0), 12});
	assert_int_equal(record_list__read(&list, &counts, wanted, &layout, in.words, in.n * 8), 0);
	assert_int_equal(counts.samples, 1);
	assert_int_equal(list.n, 2);
	assert_int_equal(list.types, wanted);
	assert_int_equal(list.v[0].header->type, PERF_RECORD_KSYMBOL);
	assert_int_equal(list.v[0].time_ns, 310);
	assert_int_equal(list.v[1].header->type, PERF_RECORD_EXIT);
	assert_int_equal(list.v[1].time_ns, 330);
	assert_true(record_ksymbol__read(&symbol, &list.v[0]));
	assert_int_equal(symbol.addr, 0x4000);
	assert_int_equal(symbol.len, 64);
	assert_int_equal(symbol.ksym_type, PERF_RECORD_KSYMBOL_TYPE_BPF);
	assert_true(symbol.unregister);
	assert_string_equal(symbol.name, "bpf_one");
	assert_false(record_ksymbol__read(
		&symbol, &(struct record_view){.header = &(struct perf_event_header){.size = 16}}));
	/* The next span begins with an empty list. */
	assert_int_equal(record_list__read(&list, &counts, wanted, &layout, in.words, 0), 0);
	assert_int_equal(list.n, 0);
	assert_int_equal(list.types, 0);
	record_list__free(&list);
}

static void test_replaced_ids(void **state)
{
	const struct record_id pairs[] = {{11, 21}, {12, 22}};
	const struct record_ids ids = {pairs, 2};
	struct words in = {.n = 0}, expected;

	(void)state;
	put_sample(&in, 11); /* a time is none */
	put_lost(&in, 12, 100);
	put(&in, PERF_RECORD_LOST_SAMPLES, 5, (uint64_t[]){11, pair(0, 0), 400, pair(0, 0), 13});
	expected = in;
	expected.words[1] = 21;
	expected.words[8] = 21;
	expected.words[13] = 22;
	record_ids__replace(&ids, true, in.words, in.n * 8);
	assert_memory_equal(in.words, expected.words, in.n * 8);
	/* What was replaced stays. */
	record_ids__replace(&ids, true, in.words, in.n * 8);
	assert_memory_equal(in.words, expected.words, in.n * 8);
	/* What is not there whole is not touched. */
	in.n = 0;
	put_lost(&in, 1, 100);
	expected = in;
	record_ids__replace(&ids, true, in.words, in.n * 8 - 8);
	assert_memory_equal(in.words, expected.words, in.n * 8);
	record_ids__replace(&ids, true, in.words, 8);
	assert_memory_equal(in.words, expected.words, in.n * 8);
	/* Without PERF_SAMPLE_IDENTIFIER there is only the one in LOST. */
	in.n = 0;
	put_sample(&in, 11);
	put_lost(&in, 12, 100);
	expected = in;
	expected.words[8] = 21;
	record_ids__replace(&ids, false, in.words, in.n * 8);
	assert_memory_equal(in.words, expected.words, in.n * 8);
}

static void test_damage(void **state)
{
	struct record_layout layout = record_layout__of(SAMPLE_TYPE);
	struct record_counts counts = {0};
	struct record_list list = {0};
	struct words in = {.n = 0};
	uint16_t size;

	(void)state;
	put_sample(&in, 300);
	for (size_t left = 1; left < in.n * 8; left++)
		assert_int_equal(
			record_list__read(&list, &counts, 0, &layout, in.words, left), -EBADMSG);
	/* The size stands in the last two bytes of the header. */
	for (size = 0; size < in.n * 8; size++) {
		memcpy((char *)in.words + 6, &size, sizeof(size));
		assert_int_equal(record_list__read(&list, &counts, 0, &layout, in.words, in.n * 8),
			-EBADMSG);
	}
	/* No room for a trailer. */
	in.n = 0;
	put(&in, PERF_RECORD_LOST, 1, (uint64_t[]){7});
	assert_int_equal(
		record_list__read(&list, &counts, 0, &layout, in.words, in.n * 8), -EBADMSG);
}

/* As a kernel tells it to the second of two recorders: too long, with the trailer early. */
static void test_early_trailers(void **state)
{
	struct record_layout layout = record_layout__of(SAMPLE_TYPE);
	/* address, length with type, name; pid with tid, time, CPU, id; what was there before */
	const uint64_t symbol[] = {
		0xffffffffc0000000, 64, 0x00636261, pair(5, 6), 70, 0, 12, 1, 2, 3, 4};
	const uint64_t program[] = {1, 9, pair(5, 6), 71, 0, 12, 1, 2, 3, 4};
	struct words in = {.n = 0};
	struct record_view view;
	const void *cursor = in.words;

	(void)state;
	put(&in, PERF_RECORD_KSYMBOL, 7, symbol);
	put(&in, PERF_RECORD_BPF_EVENT, 6, program);
	assert_false(record_trailers__are_early(&layout, in.words, in.n * 8));
	put(&in, PERF_RECORD_KSYMBOL, 11, symbol);
	put(&in, PERF_RECORD_KSYMBOL, 8, symbol); /* by less than a trailer */
	put(&in, PERF_RECORD_BPF_EVENT, 10, program);
	assert_true(record_trailers__are_early(&layout, in.words, in.n * 8));
	record_trailers__move(&layout, in.words, in.n * 8);
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(record_view__next(&cursor, in.words + in.n, &layout, &view), 1);
		assert_int_equal(view.time_ns, view.header->type == PERF_RECORD_KSYMBOL ? 70 : 71);
		assert_int_equal(((const uint64_t *)cursor)[-1], 12);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_views),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_replaced_ids),
		cmocka_unit_test(test_early_trailers),
		cmocka_unit_test(test_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
