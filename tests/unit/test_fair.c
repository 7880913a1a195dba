// SPDX-License-Identifier: GPL-2.0-only
/* What one owner's flood leaves to others: places, and turns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "user/helper/fair.h"

/* How many of @all places @owner gets if it takes what it may. */
static unsigned int take_all(struct fair_places *places, uint32_t owner, unsigned int all)
{
	unsigned int n = 0;

	for (; fair_places__may_take(places, owner, all); n++)
		fair_places__take(places, owner);
	return n;
}

static void nobody_gets_more_places_than_are_left(void **state)
{
	struct fair_places places = {0};

	(void)state;
	assert_int_equal(take_all(&places, 7, 8), 4);
	assert_int_equal(take_all(&places, 1, 8), 2);
	assert_int_equal(take_all(&places, 2, 8), 1);
	/* The last place is for another owner. */
	assert_int_equal(take_all(&places, 7, 8), 0);
	assert_int_equal(take_all(&places, 3, 8), 1);
	assert_int_equal(take_all(&places, 4, 8), 0);
	for (int i = 0; i < 4; i++)
		fair_places__give_back(&places, 7);
	assert_int_equal(take_all(&places, 4, 8), 2);
}

static void owners_take_turns_whatever_one_asks_for(void **state)
{
	struct fair_turns turns = {0};
	uint64_t flood = 0, first, second;

	(void)state;
	for (int i = 0; i < 1000; i++)
		flood = fair_turns__next(&turns, 1);
	assert_int_equal(flood, 1000);
	fair_turns__serve(&turns, 1);
	fair_turns__serve(&turns, 2);
	first = fair_turns__next(&turns, 2);
	second = fair_turns__next(&turns, 2);
	assert_int_equal(first, 3);
	assert_int_equal(second, 4);
	/* An owner that was silent is not ahead of the others later. */
	fair_turns__serve(&turns, flood);
	assert_int_equal(fair_turns__next(&turns, 3), 1001);
	assert_int_equal(fair_turns__next(&turns, 1), 1001);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nobody_gets_more_places_than_are_left),
		cmocka_unit_test(owners_take_turns_whatever_one_asks_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
