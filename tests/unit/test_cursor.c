// SPDX-License-Identifier: GPL-2.0-only
/*
 * The byte cursor: values in both orders, and nothing beyond the end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "user/base/cursor.h"

static void reads_values_in_this_order(void **state)
{
	const struct __attribute__((packed)) {
		uint8_t a;
		uint16_t b;
		uint32_t c;
		uint64_t d;
	} bytes = {1, 0x1234, 0x12345678, 0x123456789abcdef0};
	struct cursor in;

	(void)state;
	cursor__init(&in, &bytes, sizeof(bytes), false);
	assert_int_equal(cursor__u8(&in), 1);
	assert_int_equal(cursor__u16(&in), 0x1234);
	assert_int_equal(cursor__u32(&in), 0x12345678);
	assert_int_equal(cursor__u64(&in), 0x123456789abcdef0);
	assert_int_equal(cursor__remaining(&in), 0);
	assert_false(in.failed);
}

static void reads_values_in_the_other_order(void **state)
{
	const struct __attribute__((packed)) {
		uint16_t b;
		uint32_t c;
		uint64_t d;
	} bytes = {0x3412, 0x78563412, 0xf0debc9a78563412};
	struct cursor in;

	(void)state;
	cursor__init(&in, &bytes, sizeof(bytes), true);
	assert_int_equal(cursor__u16(&in), 0x1234);
	assert_int_equal(cursor__u32(&in), 0x12345678);
	assert_int_equal(cursor__u64(&in), 0x123456789abcdef0);
}

static void failure_sticks(void **state)
{
	const uint8_t bytes[3] = {1, 2, 3};
	struct cursor in;

	(void)state;
	cursor__init(&in, bytes, sizeof(bytes), false);
	assert_int_equal(cursor__u32(&in), 0);
	assert_true(in.failed);
	assert_int_equal(cursor__u8(&in), 0);
	assert_int_equal(cursor__remaining(&in), 0);
	assert_null(cursor__string(&in));
}

static void a_size_near_the_end_of_memory_fails(void **state)
{
	const uint8_t bytes[8] = {};
	struct cursor in;

	(void)state;
	cursor__init(&in, bytes, sizeof(bytes), false);
	cursor__skip(&in, UINT64_MAX);
	assert_true(in.failed);
	cursor__init(&in, bytes, sizeof(bytes), false);
	assert_null(cursor__bytes(&in, UINT64_MAX - 7));
}

static void a_string_needs_its_nul(void **state)
{
	const char bytes[5] = {'a', 'b', 0, 'c', 'd'};
	struct cursor in;

	(void)state;
	cursor__init(&in, bytes, sizeof(bytes), false);
	assert_string_equal(cursor__string(&in), "ab");
	assert_null(cursor__string(&in));
	assert_true(in.failed);
}

static void a_sub_cursor_ends_where_it_was_told(void **state)
{
	const uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
	struct cursor in, sub;

	(void)state;
	cursor__init(&in, bytes, sizeof(bytes), false);
	sub = cursor__sub(&in, 2);
	assert_int_equal(cursor__u8(&sub), 1);
	assert_int_equal(cursor__u16(&sub), 0);
	assert_true(sub.failed);
	assert_int_equal(cursor__u8(&in), 3);
	sub = cursor__sub(&in, 100);
	assert_true(sub.failed);
	assert_true(in.failed);
}

static void nothing_is_an_empty_cursor(void **state)
{
	struct cursor in;

	(void)state;
	cursor__init(&in, NULL, 10, false);
	assert_int_equal(cursor__remaining(&in), 0);
	cursor__u8(&in);
	assert_true(in.failed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_values_in_this_order),
		cmocka_unit_test(reads_values_in_the_other_order),
		cmocka_unit_test(failure_sticks),
		cmocka_unit_test(a_size_near_the_end_of_memory_fails),
		cmocka_unit_test(a_string_needs_its_nul),
		cmocka_unit_test(a_sub_cursor_ends_where_it_was_told),
		cmocka_unit_test(nothing_is_an_empty_cursor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
