// SPDX-License-Identifier: GPL-2.0-only
/*
 * The growable buffer: growth, limit, and a failure that sticks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "user/base/buffer.h"

static void grows(void **state)
{
	struct buffer buf;

	(void)state;
	buffer__init(&buf, 0);
	for (uint32_t i = 0; i < 10000; i++)
		assert_int_equal(buffer__u32(&buf, i), 0);
	assert_int_equal(buf.size, 40000);
	for (uint32_t i = 0; i < 10000; i++)
		assert_memory_equal(buf.data + 4 * i, &i, 4);
	buffer__free(&buf);
}

static void the_limit_sticks(void **state)
{
	struct buffer buf;

	(void)state;
	buffer__init(&buf, 10);
	assert_int_equal(buffer__u64(&buf, 1), 0);
	assert_int_equal(buffer__u32(&buf, 1), -ENOBUFS);
	assert_int_equal(buffer__u8(&buf, 1), -ENOBUFS);
	assert_int_equal(buf.size, 8);
	buffer__truncate(&buf, 4);
	assert_int_equal(buffer__u32(&buf, 1), 0);
	assert_int_equal(buf.size, 8);
	buffer__free(&buf);
}

static void a_size_that_overflows_fails(void **state)
{
	struct buffer buf;

	(void)state;
	buffer__init(&buf, 0);
	buffer__u8(&buf, 1);
	assert_null(buffer__extend(&buf, SIZE_MAX));
	assert_int_equal(buf.error, -ENOMEM);
	buffer__free(&buf);
}

static void aligns_from_a_start(void **state)
{
	struct buffer buf;
	size_t start;

	(void)state;
	buffer__init(&buf, 0);
	buffer__append(&buf, "abc", 3);
	start = buf.size;
	buffer__align(&buf, start, 8);
	assert_int_equal(buf.size, 3);
	buffer__u8(&buf, 1);
	buffer__align(&buf, start, 8);
	assert_int_equal(buf.size, 11);
	assert_memory_equal(buf.data + 4, "\0\0\0\0\0\0\0", 7);
	buffer__free(&buf);
}

static void formats(void **state)
{
	struct buffer buf;

	(void)state;
	buffer__init(&buf, 0);
	for (int i = 0; i < 100; i++)
		assert_int_equal(buffer__printf(&buf, "%s-%d,", "x", i % 10), 0);
	assert_int_equal(buf.size, 400);
	assert_memory_equal(buf.data + 396, "x-9,", 4);
	buffer__free(&buf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(grows),
		cmocka_unit_test(the_limit_sticks),
		cmocka_unit_test(a_size_that_overflows_fails),
		cmocka_unit_test(aligns_from_a_start),
		cmocka_unit_test(formats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
