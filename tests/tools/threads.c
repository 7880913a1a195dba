// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process of many threads that do nothing, but for one that works.
 *
 *   threads N     prints "ready PID", and goes on until it is killed
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile unsigned long count;

static void *sleep_on(void *arg)
{
	pause();
	return arg;
}

int main(int argc, char **argv)
{
	pthread_attr_t attr;
	pthread_t thread;

	if (argc != 2)
		return 2;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 16384);
	for (int n = atoi(argv[1]); n > 1; n--)
		if (pthread_create(&thread, &attr, sleep_on, NULL))
			return 1;
	printf("ready %d\n", getpid());
	fflush(stdout);
	for (;;)
		count++;
}
