// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ordering queue: each row is what comes in and what must come out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "user/event/order.h"

struct output {
	char text[4096];
	size_t len;
	int fail_at; /* the callback fails when this many came; 0: never */
	int n;
};

static int put(void *ctx, const struct event *event)
{
	struct output *out = ctx;

	if (++out->n == out->fail_at)
		return -7;
	out->len += snprintf(
		out->text + out->len, sizeof(out->text) - out->len, "%s ", event->comm.comm);
	return 0;
}

/* "time:name" pushes, "|" ends a round, "." is the end of the data. */
static uint64_t play(const char *input, struct output *out, size_t limit)
{
	struct order *order;
	uint64_t late;

	assert_int_equal(order__new(&order, put, out, limit), 0);
	while (*input) {
		struct event event = {.kind = EVENT_COMM};
		char name[32];
		int used;

		if (*input == '|') {
			event.kind = EVENT_FINISHED_ROUND;
			assert_int_equal(order__push(order, &event), 0);
			out->text[out->len++] = '|';
			out->text[out->len] = 0;
			input++;
		} else if (*input == '.') {
			assert_int_equal(order__flush(order), 0);
			input++;
		} else {
			assert_int_equal(
				sscanf(input, "%lu:%31s%n", &event.time_ns, name, &used), 2);
			input += used;
			event.comm.comm = name;
			assert_int_equal(order__push(order, &event), 0);
			/* What was pushed must not be needed any more. */
			memset(name, '!', sizeof(name) - 1);
		}
		while (*input == ' ')
			input++;
	}
	late = order__late(order);
	order__free(order);
	return late;
}

static void orders(void **state)
{
	static const struct {
		const char *in, *out;
		uint64_t late;
	} rows[] = {
		{"5:a 3:b 4:c .", "b c a ", 0},
		{"5:a 5:b 5:c .", "a b c ", 0}, /* the same time keeps its order */
		{"5:a 0:z 3:b .", "z b a ", 0}, /* no time: at once */
		{"5:a 18446744073709551615:z .", "z a ", 0},
		{"1:a 2:b | . ", "|a b ", 0}, /* the first round releases nothing */
		{"1:a 2:b | 3:c | .", "|a b |c ", 0},
		/* One round late is still in time. */
		{"10:a 20:b | 15:c 30:d | 40:e | .", "|a c b |d |e ", 0},
		/* Two rounds late is not: it comes out of order, and is counted. */
		{"10:a 20:b | 30:c | 15:x 40:d | .", "|a b |x c |d ", 1},
		{"10:a | | | 5:x .", "|a ||x ", 1},
		{"", "", 0},
		{".", "", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct output out = {};
		uint64_t late = play(rows[i].in, &out, 0);

		assert_string_equal(out.text, rows[i].out);
		assert_int_equal(late, rows[i].late);
	}
}

static void what_waits_is_freed(void **state)
{
	struct output out = {};

	(void)state;
	play("5:a 3:b |", &out, 0);
	assert_string_equal(out.text, "|");
}

static void memory_is_bounded(void **state)
{
	struct output out = {};
	struct order *order;
	int released = 0;

	(void)state;
	assert_int_equal(order__new(&order, put, &out, 4096), 0);
	for (int i = 0; i < 1000; i++) {
		struct event event = {.kind = EVENT_COMM, .time_ns = 1000 - i};

		event.comm.comm = "";
		out.len = 0;
		assert_int_equal(order__push(order, &event), 0);
		if (out.n > released)
			released = out.n;
	}
	assert_true(released > 900);
	assert_true(order__late(order) > 0);
	order__free(order);
}

static void the_callback_can_stop_it(void **state)
{
	struct output out = {.fail_at = 2};
	struct order *order;

	(void)state;
	assert_int_equal(order__new(&order, put, &out, 0), 0);
	for (int i = 1; i <= 3; i++) {
		struct event event = {.kind = EVENT_COMM, .time_ns = i, .comm.comm = "x"};

		assert_int_equal(order__push(order, &event), 0);
	}
	assert_int_equal(order__flush(order), -7);
	assert_int_equal(out.n, 2);
	assert_int_equal(order__flush(order), 0);
	assert_int_equal(out.n, 3);
	order__free(order);
}

static int check_copy(void *ctx, const struct event *event)
{
	const uint8_t *raw = event->raw;

	(*(int *)ctx)++;
	if (event->kind == EVENT_SAMPLE) {
		assert_int_equal(event->sample.callchain[1], 22);
	} else if (event->kind == EVENT_MAP) {
		assert_string_equal(event->map.path, "/x");
		/* A pointer into the record became one into the record's copy. */
		assert_ptr_equal(event->map.path, raw + 3);
		assert_int_equal(event->raw_size, 6);
	} else {
		assert_int_equal(event->namespaces.links[0].ino, 5);
	}
	return 0;
}

static void payloads_are_copied(void **state)
{
	struct event events[3] = {
		{.kind = EVENT_SAMPLE, .time_ns = 3},
		{.kind = EVENT_MAP, .time_ns = 2},
		{.kind = EVENT_NAMESPACES, .time_ns = 1},
	};
	uint64_t chain[2] = {11, 22};
	struct perf_ns_link_info link = {4, 5};
	char raw[6] = "abc/x";
	struct order *order;
	int n = 0;

	(void)state;
	events[0].sample.callchain = chain;
	events[0].sample.n_callchain = 2;
	events[1].raw = raw;
	events[1].raw_size = sizeof(raw);
	events[1].map.path = raw + 3;
	events[2].namespaces.n = 1;
	events[2].namespaces.links = &link;
	assert_int_equal(order__new(&order, check_copy, &n, 0), 0);
	for (int i = 0; i < 3; i++)
		assert_int_equal(order__push(order, &events[i]), 0);
	memset(chain, 0, sizeof(chain));
	memset(&link, 0, sizeof(link));
	memset(raw, 0, sizeof(raw));
	assert_int_equal(order__flush(order), 0);
	assert_int_equal(n, 3);
	order__free(order);
}

static int check_rising(void *ctx, const struct event *event)
{
	uint64_t *last = ctx;

	assert_true(event->time_ns >= *last);
	*last = event->time_ns;
	return 0;
}

static void many_come_out_in_order(void **state)
{
	struct order *order;
	uint64_t last = 0, x = 1;

	(void)state;
	assert_int_equal(order__new(&order, check_rising, &last, 0), 0);
	for (int i = 0; i < 20000; i++) {
		struct event event = {.kind = EVENT_OTHER};

		x = x * 6364136223846793005ull + 1442695040888963407ull;
		event.time_ns = (x >> 40) + 1;
		assert_int_equal(order__push(order, &event), 0);
	}
	assert_int_equal(order__flush(order), 0);
	assert_int_equal(order__late(order), 0);
	order__free(order);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(orders),
		cmocka_unit_test(what_waits_is_freed),
		cmocka_unit_test(memory_is_bounded),
		cmocka_unit_test(the_callback_can_stop_it),
		cmocka_unit_test(payloads_are_copied),
		cmocka_unit_test(many_come_out_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
