// SPDX-License-Identifier: GPL-2.0-only
/*
 * The workloads of `perf test -w', with the names and the functions that perf's own shell
 * tests look for: Debian's perf is stripped, and has none of them to show.
 *
 *   perf_workload noploop|thloop|brstack|sqrtloop|leafloop [SECONDS [THREADS]]
 *
 * The seconds are of all threads on CPUs, so that each is sampled on a busy machine, too.
 */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

static volatile sig_atomic_t done;
static volatile unsigned long count;

static void on_alarm(int signal)
{
	(void)signal;
	done = 1;
}

static void *__attribute__((noinline)) test_loop(void *arg)
{
	while (!done)
		count++;
	return arg;
}

static void __attribute__((noinline)) noploop(void)
{
	while (!done)
		count++;
}

static void __attribute__((noinline)) brstack_foo(void)
{
	count += 2;
}

static void __attribute__((noinline)) brstack_bench(void)
{
	if (count % 3)
		brstack_foo();
	count++;
}

static void __attribute__((noinline)) brstack(void)
{
	while (!done)
		brstack_bench();
}

static void thloop(int threads)
{
	pthread_t thread;

	for (int i = 0; i < threads; i++)
		if (pthread_create(&thread, NULL, test_loop, NULL))
			exit(1);
	test_loop(NULL);
}

int main(int argc, char **argv)
{
	double seconds = argc > 2 ? atof(argv[2]) : 1;
	int threads = argc > 3 ? atoi(argv[3]) : 1;
	struct itimerval timer = {
		.it_value.tv_sec = (time_t)seconds,
		.it_value.tv_usec = (suseconds_t)((seconds - (time_t)seconds) * 1e6),
	};

	if (argc < 2 || seconds <= 0)
		return 2;
	signal(SIGPROF, on_alarm);
	signal(SIGINT, on_alarm);
	if (setitimer(ITIMER_PROF, &timer, NULL))
		return 1;
	if (!strcmp(argv[1], "thloop"))
		thloop(threads);
	else if (!strcmp(argv[1], "brstack"))
		brstack();
	else
		noploop();
	return 0;
}
