// SPDX-License-Identifier: GPL-2.0-only
/* Arrays that grow: they keep their elements, double their room, and stay as they are in error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>

#include "user/base/array.h"

static void an_array_keeps_its_elements(void **state)
{
	uint32_t *v = NULL;
	size_t room = 0, n_grown = 0, before;

	(void)state;
	for (uint32_t i = 0; i < 1000; i++) {
		before = room;
		assert_int_equal(array__reserve(&v, &room, i + 1, sizeof(*v)), 0);
		assert_true(room > i);
		n_grown += room != before;
		v[i] = i;
	}
	assert_in_range(n_grown, 2, 10);
	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(v[i], i);
	before = room;
	assert_int_equal(array__reserve(&v, &room, 10 * before, sizeof(*v)), 0);
	assert_true(room >= 10 * before);
	free(v);
}

static void what_is_too_large_changes_nothing(void **state)
{
	uint32_t *v = NULL, *old;
	size_t room = 0, before;

	(void)state;
	assert_int_equal(array__reserve(&v, &room, 1, sizeof(*v)), 0);
	old = v;
	before = room;
	assert_int_equal(array__reserve(&v, &room, SIZE_MAX, sizeof(*v)), -ENOMEM);
	assert_int_equal(array__reserve(&v, &room, SIZE_MAX / 4, sizeof(*v)), -ENOMEM);
	assert_ptr_equal(v, old);
	assert_int_equal(room, before);
	/* The number UINT32_MAX is none. */
	assert_int_equal(
		array__reserve_numbered(&v, &room, (size_t)UINT32_MAX + 1, sizeof(*v)), -ENOMEM);
	assert_int_equal(room, before);
	assert_int_equal(array__reserve_numbered(&v, &room, before + 1, sizeof(*v)), 0);
	assert_true(room > before);
	free(v);
}

static void an_array_without_a_room_is_extended(void **state)
{
	uint64_t *v = NULL, *before;

	(void)state;
	for (size_t i = 0; i < 100; i++) {
		before = v;
		assert_int_equal(array__extend(&v, i, sizeof(*v)), 0);
		if (i & (i - 1))
			assert_ptr_equal(v, before);
		v[i] = i; /* ASan checks that there is room, and no more than the next power of two
			   */
	}
	for (size_t i = 0; i < 100; i++)
		assert_int_equal(v[i], i);
	before = v;
	assert_int_equal(array__extend(&v, (SIZE_MAX >> 1) + 1, 1), -ENOMEM);
	assert_int_equal(array__extend(&v, (SIZE_MAX >> 4) + 1, sizeof(*v)), -ENOMEM);
	assert_ptr_equal(v, before);
	free(v);
}

static void new_elements_are_zero(void **state)
{
	uint32_t *v = NULL, *before;
	size_t n = 0, n_before;

	(void)state;
	for (size_t i = 0; i < 1000; i += 37) {
		n_before = n;
		assert_int_equal(array__reach(&v, &n, i, sizeof(*v)), 0);
		assert_true(n > i);
		assert_true(n == n_before || n >= 2 * n_before);
		for (size_t k = n_before; k < n; k++)
			assert_int_equal(v[k], 0);
		for (size_t k = 0; k < n; k++)
			v[k] = UINT32_MAX;
	}
	before = v;
	n_before = n;
	assert_int_equal(array__reach(&v, &n, 0, sizeof(*v)), 0);
	assert_int_equal(array__reach(&v, &n, SIZE_MAX, sizeof(*v)), -ENOMEM);
	assert_int_equal(array__reach(&v, &n, SIZE_MAX / 4, sizeof(*v)), -ENOMEM);
	assert_ptr_equal(v, before);
	assert_int_equal(n, n_before);
	free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_array_keeps_its_elements),
		cmocka_unit_test(what_is_too_large_changes_nothing),
		cmocka_unit_test(an_array_without_a_room_is_extended),
		cmocka_unit_test(new_elements_are_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
