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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_array_keeps_its_elements),
		cmocka_unit_test(what_is_too_large_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
