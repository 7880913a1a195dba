// SPDX-License-Identifier: GPL-2.0-only
/* Numbers by key: each is found by its own key and by no other, however many there are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "user/model/profile/numbers.h"

#define N 100000

struct thing {
	uint64_t a;
	uint32_t b;
	uint32_t zero;
};

static struct thing things[N];

static bool is_thing(const void *array, uint32_t number, const void *wanted)
{
	const struct thing *thing = (const struct thing *)array + number, *key = wanted;

	return thing->a == key->a && thing->b == key->b;
}

static uint32_t find(const struct numbers *numbers, const struct thing *key)
{
	return numbers__find(numbers, key, sizeof(*key), is_thing, things);
}

static void test_each_is_found_by_its_key(void **state)
{
	struct numbers numbers = {0};
	struct thing other;

	(void)state;
	assert_int_equal(find(&numbers, &things[0]), NUMBERS_NONE);
	for (uint32_t i = 0; i < N; i++) {
		/* As places and frames are: near one another, and alike in all but a few bits. */
		things[i] = (struct thing){.a = 0xffffffff81000000 + i / 4 * 16, .b = i % 4};
		assert_int_equal(find(&numbers, &things[i]), NUMBERS_NONE);
		assert_int_equal(numbers__add(&numbers, &things[i], sizeof(things[i]), i), 0);
	}
	for (uint32_t i = 0; i < N; i++) {
		assert_int_equal(find(&numbers, &things[i]), i);
		other = things[i];
		other.b += 4;
		assert_int_equal(find(&numbers, &other), NUMBERS_NONE);
	}
	assert_int_equal(numbers.n, N);
	assert_true(numbers.room < 3 * N);
	numbers__free(&numbers);
	assert_int_equal(find(&numbers, &things[0]), NUMBERS_NONE);
}

/* Of one hash they stand one behind the other. */
static void test_those_of_one_hash(void **state)
{
	struct numbers numbers = {0};
	struct thing key = {.a = 7};

	(void)state;
	for (uint32_t i = 0; i < 150; i++) {
		things[i] = (struct thing){.a = i};
		assert_int_equal(numbers__add(&numbers, &key, sizeof(key), i), 0);
	}
	assert_int_equal(find(&numbers, &key), 7);
	key.a = 8;
	assert_int_equal(find(&numbers, &key), NUMBERS_NONE); /* of another hash */
	numbers__free(&numbers);
}

int main(void)
{
	const struct CMUnitTest TESTS[] = {
		cmocka_unit_test(test_each_is_found_by_its_key),
		cmocka_unit_test(test_those_of_one_hash),
	};

	return cmocka_run_group_tests(TESTS, NULL, NULL);
}
