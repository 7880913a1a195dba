// SPDX-License-Identifier: GPL-2.0-only
/* In which order contents are captured, and what one owner's flood leaves to others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "user/record/capture/dso_queue.h"

#define FLOOD 7
#define QUIET 1
#define HALF (DSO_OPEN_MAX / 2)

static struct dso dsos[DSO_QUEUE_MAX + 1];

/* Adds @n of @owner, from dsos[@first] on. */
static void add(struct dso_queue *queue, uint32_t owner, int first, int n)
{
	for (int i = first; i < first + n; i++) {
		dsos[i] = (struct dso){.turns_of = owner};
		dso_queue__add(queue, &dsos[i]);
	}
}

static struct dso *send_next(struct dso_queue *queue)
{
	struct dso *dso = dso_queue__next(queue);

	if (dso)
		dso_queue__sent(queue, dso);
	return dso;
}

static void a_flood_leaves_room_and_is_sent_by_turns(void **state)
{
	struct dso_queue queue;
	int n;

	(void)state;
	dso_queue__init(&queue);
	assert_null(dso_queue__next(&queue));
	for (n = 0; dso_queue__has_room(&queue, FLOOD); n++)
		add(&queue, FLOOD, n, 1);
	assert_int_equal(n, DSO_QUEUE_MAX / 2);
	assert_true(dso_queue__has_room(&queue, QUIET));
	for (int i = 0; i < HALF; i++)
		assert_ptr_equal(send_next(&queue), &dsos[i]);
	/* The rest of what may be sent is left to others, who are next, whoever came first. */
	assert_null(send_next(&queue));
	add(&queue, QUIET, n, 2);
	assert_ptr_equal(send_next(&queue), &dsos[n]);
	dso_queue__remove(&queue, &dsos[0]);
	assert_ptr_equal(send_next(&queue), &dsos[HALF]);
	assert_ptr_equal(send_next(&queue), &dsos[n + 1]);
	assert_null(send_next(&queue));
	assert_int_equal(dso_queue__n(&queue), n + 1);
}

static void what_was_sent_is_sent_again_in_the_same_order(void **state)
{
	struct dso_queue queue;

	(void)state;
	dso_queue__init(&queue);
	add(&queue, FLOOD, 0, 4);
	for (int i = 0; i < 3; i++)
		assert_ptr_equal(send_next(&queue), &dsos[i]);
	dso_queue__unsend(&queue);
	for (int i = 0; i < 4; i++)
		assert_ptr_equal(send_next(&queue), &dsos[i]);
	assert_null(send_next(&queue));
}

static void the_queue_can_be_emptied(void **state)
{
	struct dso_queue queue;
	struct dso *dso;
	int n = 0;

	(void)state;
	dso_queue__init(&queue);
	add(&queue, FLOOD, 0, 3);
	add(&queue, QUIET, 3, 3);
	send_next(&queue);
	send_next(&queue);
	for (; (dso = dso_queue__first(&queue)); n++)
		dso_queue__remove(&queue, dso);
	assert_int_equal(n, 6);
	assert_int_equal(dso_queue__n(&queue), 0);
	assert_true(queue.being_captured.taken == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_flood_leaves_room_and_is_sent_by_turns),
		cmocka_unit_test(what_was_sent_is_sent_again_in_the_same_order),
		cmocka_unit_test(the_queue_can_be_emptied),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
