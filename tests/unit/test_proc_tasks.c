// SPDX-License-Identifier: GPL-2.0-only
/* The snapshot of running processes from /proc, of real processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user/source/proc/stat.h"
#include "user/source/proc/tasks.h"

static void *wait_for_end(void *unused)
{
	for (;;)
		pause();
	return unused;
}

/* In the child: the main thread ends, another one remains. */
static void lose_leader(void)
{
	pthread_t thread;

	if (!pthread_create(&thread, NULL, wait_for_end, NULL))
		pthread_exit(NULL);
	_exit(1);
}

struct seen {
	pid_t pid;
	size_t leaders, threads, maps;
};

static int see(void *ctx, const struct event *event)
{
	struct seen *seen = ctx;

	seen->maps += event->kind == EVENT_MAP && event->tid == (uint32_t)seen->pid;
	if (event->kind != EVENT_FORK)
		return 0;
	if (event->tid == (uint32_t)seen->pid)
		seen->leaders++;
	else
		seen->threads++;
	return 0;
}

static struct seen look(pid_t pid)
{
	struct seen seen = {.pid = pid};
	struct proc_tasks_counts counts;
	struct error err;

	assert_int_equal(proc_tasks__synthesize(&pid, 1, see, NULL, &seen, &counts, &err), 0);
	return seen;
}

/*
 * It is a zombie until its threads end, and nothing would report its end. The mappings of its
 * process are those of its threads.
 */
static void an_exited_leader_is_not_reported(void **state)
{
	struct task_stat stat = {0};
	pid_t pid = fork();
	struct seen seen;

	(void)state;
	if (!pid)
		lose_leader();
	assert_true(pid > 0);
	while (stat.state != 'Z') {
		assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
		assert_int_equal(proc_stat__read(&stat, pid, pid), 0);
	}
	seen = look(pid);
	assert_int_not_equal(proc_stat__living_thread(pid), pid);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_int_equal(seen.leaders, 0);
	assert_int_equal(seen.threads, 1);
	assert_true(seen.maps > 0);
	assert_int_equal(look(getpid()).leaders, 1);
	assert_int_equal(proc_stat__living_thread(getpid()), getpid());
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_exited_leader_is_not_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
