// SPDX-License-Identifier: GPL-2.0-only
/* Runs of processes, and the numbers that they get beside those of other recordings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "user/model/tables/pidset.h"
#include "user/model/runs.h"

static void fork_at(struct runs *runs, uint64_t time_ns, uint32_t pid, uint32_t ppid)
{
	const struct event event = {.kind = EVENT_FORK,
		.time_ns = time_ns,
		.pid = pid,
		.tid = pid,
		.fork = {.ppid = ppid, .ptid = ppid}};

	assert_int_equal(runs__apply(runs, &event), 0);
}

static void comm_at(struct runs *runs, uint64_t time_ns, uint32_t pid, bool exec)
{
	const struct event event = {.kind = EVENT_COMM,
		.time_ns = time_ns,
		.pid = pid,
		.tid = pid,
		.comm = {.comm = "server", .exec = exec}};

	assert_int_equal(runs__apply(runs, &event), 0);
}

static void expect(struct runs *runs, struct run_numbers *numbers, uint64_t time_ns, uint32_t pid,
	uint32_t tid, uint32_t expected_pid, uint32_t expected_tid)
{
	uint32_t ret_pid, ret_tid;

	assert_int_equal(runs__renumber(runs, numbers, pid, tid, time_ns, &ret_pid, &ret_tid), 0);
	assert_int_equal(ret_pid, expected_pid);
	assert_int_equal(ret_tid, expected_tid);
}

/* Each exec is a run, and only what is wanted gets the number. */
static void test_exec(void **state)
{
	struct run_numbers *numbers;
	struct runs *runs;

	(void)state;
	assert_int_equal(runs__new(&runs), 0);
	assert_int_equal(run_numbers__new(&numbers), 0);
	comm_at(runs, 0, 10, false);
	fork_at(runs, 100, 20, 10);
	comm_at(runs, 200, 20, true);
	comm_at(runs, 300, 20, true);
	runs__want(runs, 20, 250);
	assert_true(runs__wants(runs, 20, 200));
	assert_false(runs__wants(runs, 20, 199));
	assert_false(runs__wants(runs, 20, 300));
	assert_false(runs__wants(runs, 10, 250));
	assert_false(runs__wants(runs, 30, 250));
	runs__want(runs, 20, 300);
	runs__number(runs, numbers);
	expect(runs, numbers, 250, 20, 20, 20, 20);
	expect(runs, numbers, 300, 20, 20, PIDSET_PID_LIMIT, PIDSET_PID_LIMIT);
	runs__free(runs);
	run_numbers__free(numbers);
}

/* A child has the mappings of its parent, as that was when it forked. */
static void test_fork(void **state)
{
	struct runs *runs;

	(void)state;
	assert_int_equal(runs__new(&runs), 0);
	comm_at(runs, 0, 10, false);
	comm_at(runs, 100, 10, true);
	fork_at(runs, 150, 20, 10);
	comm_at(runs, 200, 10, true);
	runs__want(runs, 20, 400);
	assert_true(runs__wants(runs, 10, 150));
	assert_false(runs__wants(runs, 10, 99));
	assert_false(runs__wants(runs, 10, 200));
	runs__free(runs);
}

/* The same pids in two recordings, and a thread whose number is a process's in another. */
static void test_recordings(void **state)
{
	struct runs *first, *second;
	struct run_numbers *numbers;

	(void)state;
	assert_int_equal(runs__new(&first), 0);
	assert_int_equal(runs__new(&second), 0);
	assert_int_equal(run_numbers__new(&numbers), 0);
	comm_at(first, 0, 10, false);
	comm_at(second, 0, 10, false);
	comm_at(second, 0, 11, false);
	runs__want(first, 10, 5);
	runs__want(second, 10, 5);
	runs__want(second, 11, 5);
	runs__number(first, numbers);
	runs__number(second, numbers);
	expect(first, numbers, 5, 10, 10, 10, 10);
	expect(second, numbers, 5, 10, 10, PIDSET_PID_LIMIT, PIDSET_PID_LIMIT);
	expect(second, numbers, 5, 11, 11, 11, 11);
	expect(first, numbers, 5, 10, 11, 10, PIDSET_PID_LIMIT + 1);
	expect(first, numbers, 6, 10, 11, 10, PIDSET_PID_LIMIT + 1);
	expect(first, numbers, 5, 10, 12, 10, 12);
	/* What is in no run stays. */
	expect(first, numbers, 5, 77, 77, 77, 77);
	runs__free(first);
	runs__free(second);
	run_numbers__free(numbers);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exec),
		cmocka_unit_test(test_fork),
		cmocka_unit_test(test_recordings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
