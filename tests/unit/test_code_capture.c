// SPDX-License-Identifier: GPL-2.0-only
/* The processes whose code made at run time is followed, while their reader does not answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "user/record/capture/code_capture.h"
#include "user/source/proc/stat.h"

/* Above the largest number that the kernel gives a process. */
#define NO_PID 5000000
#define EVENTS 100000
/* Those that wait, and those of which the socket has the requests. */
#define FOLLOWED_MAX 4096

static const struct clock_conversion CLOCK = {.clockid = CLOCK_MONOTONIC};

static void see(struct code_capture *capture, uint32_t pid)
{
	const struct event event = {
		.kind = EVENT_MAP,
		.pid = pid,
		.tid = pid,
		.map = {.addr = 0x1000, .len = 0x1000, .executable = true, .path = "//anon"},
	};

	code_capture__see(capture, &event);
}

static pid_t find_child(void)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	struct task_stat stat;
	pid_t ret = 0;

	assert_non_null(dir);
	while (!ret && (entry = readdir(dir)))
		if (atoi(entry->d_name) > 0 && !proc_stat__read(&stat, atoi(entry->d_name), 0) &&
			stat.ppid == (uint32_t)getpid())
			ret = atoi(entry->d_name);
	closedir(dir);
	return ret;
}

static int ignore(void *ctx, const struct event *event)
{
	(void)ctx;
	(void)event;
	return 0;
}

static struct code_capture_counts counts_of(const struct code_capture *capture)
{
	struct code_capture_counts ret;

	code_capture__count(capture, &ret);
	return ret;
}

static void the_list_is_bounded(void **state)
{
	struct code_capture *capture;
	struct error err;
	uint64_t crowded;
	pid_t reader;

	(void)state;
	assert_int_equal(code_capture__new(&capture, &CLOCK, &err), 0);
	reader = find_child();
	assert_true(reader > 0);
	assert_int_equal(kill(reader, SIGSTOP), 0);
	for (uint32_t i = 0; i < EVENTS; i++)
		see(capture, NO_PID + i);
	crowded = counts_of(capture).crowded;
	assert_in_range(crowded, EVENTS - FOLLOWED_MAX, EVENTS - 1);
	/* Those that wait are answered in the end: they do not exist. */
	assert_int_equal(kill(reader, SIGCONT), 0);
	assert_int_equal(code_capture__finish(capture, ignore, NULL), 0);
	assert_int_equal(counts_of(capture).unanswered, 0);
	assert_int_equal(counts_of(capture).crowded, crowded);
	code_capture__free(capture);
}

static void another_process_continues_if_one_crashes(void **state)
{
	struct pollfd fd = {.events = POLLIN};
	struct code_capture *capture;
	struct error err;
	pid_t first;

	(void)state;
	assert_int_equal(code_capture__new(&capture, &CLOCK, &err), 0);
	first = find_child();
	assert_int_equal(kill(first, SIGSTOP), 0);
	see(capture, NO_PID);
	assert_int_equal(kill(first, SIGKILL), 0);
	fd.fd = code_capture__fd(capture);
	assert_int_equal(poll(&fd, 1, -1), 1);
	assert_int_equal(code_capture__collect(capture, ignore, NULL), 0);
	assert_int_not_equal(find_child(), 0);
	assert_int_not_equal(find_child(), first);
	assert_int_equal(code_capture__finish(capture, ignore, NULL), 0);
	assert_int_equal(counts_of(capture).unanswered, 0);
	code_capture__free(capture);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_list_is_bounded),
		cmocka_unit_test(another_process_continues_if_one_crashes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
