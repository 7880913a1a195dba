// SPDX-License-Identifier: GPL-2.0-only
/* Map records that wait for their identity, which a process of the completer's own reads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "user/record/maps/held_maps.h"
#include "user/source/content/completer.h"

struct writing {
	int code; /* what the next write returns */
	int written;
};

static int write_map(void *ctx, struct event *event, enum held_outcome outcome,
	const struct perfstamp_identity *before, int code)
{
	struct writing *writing = ctx;
	int failed = writing->code;

	(void)event;
	(void)outcome;
	(void)before;
	(void)code;
	writing->code = 0;
	writing->written += !failed;
	return failed;
}

/* The recording goes on without a file after a full disk: an error counts once. */
static void a_failed_write_does_not_fail_the_next_one(void **state)
{
	struct writing writing = {.code = -ENOSPC};
	struct completer *completer;
	struct held_maps *held;
	struct event event = {
		.kind = EVENT_MAP,
		.pid = getpid(),
		.map = {.path = "/nowhere", .executable = true, .addr = 4096, .len = 4096},
	};
	struct error err = {0};

	(void)state;
	assert_int_equal(completer__new(&completer, &err), 0);
	assert_int_equal(
		held_maps__new(&held, completer, NULL, CLOCK_MONOTONIC, write_map, &writing), 0);
	for (int i = 0; i < 2; i++) {
		held_maps__allow(held, 10000);
		assert_int_equal(held_maps__hold(held, &event), 0);
		assert_int_equal(held_maps__settle(held, true), i ? 0 : -ENOSPC);
		assert_int_equal(writing.written, i);
	}
	held_maps__free(held);
	completer__free(completer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_failed_write_does_not_fail_the_next_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
