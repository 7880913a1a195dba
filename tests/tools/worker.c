// SPDX-License-Identifier: GPL-2.0-only
/*
 * Work that can be told apart by the name of the function in which it is done: by the
 * main thread, by other threads, and by a child. Prints "ready PID TID..." once all of
 * the threads are there, and at the end "used MS", its time on CPUs.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define THREADS_MAX 16384

static const char USAGE[] =
	"Usage: worker [-s] [-w] [-e] [-t THREADS] [-l] [-c] MS\n"
	"Works MS milliseconds on a CPU in the main thread (worker_main), in each of THREADS\n"
	"others (worker_thread), with -l in one that begins half-way (worker_late), and with -c\n"
	"in a child that is forked half-way (worker_child). With -s all sleep instead, with -w\n"
	"they wait for SIGUSR1 first, with -e the main thread exits, and the others work.\n";

static volatile unsigned long sink;
static long work_ms;
static int sleeps;
static pid_t tids[THREADS_MAX];
/* Not on the stack, of which a sample has 8 KiB, up to main's caller. */
static pthread_t threads[THREADS_MAX];
static pthread_barrier_t all_there, go;

/* The caller's own time on CPUs: however busy the machine, each does the same work. */
static long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/*
 * The loop stands in each of them, so that samples are in the function that is named;
 * with a frame pointer, for call chains.
 */
#define FUNCTION(name)                                                                             \
	__attribute__((noinline, noclone, optimize("no-omit-frame-pointer"))) void name(long ms);  \
	void name(long ms)                                                                         \
	{                                                                                          \
		long end = now_ms() + ms;                                                          \
                                                                                                   \
		if (sleeps)                                                                        \
			usleep(ms * 1000);                                                         \
		while (!sleeps && now_ms() < end)                                                  \
			for (int i = 0; i < 500000; i++)                                           \
				sink += i;                                                         \
	}

FUNCTION(worker_main)
FUNCTION(worker_thread)
FUNCTION(worker_late)
FUNCTION(worker_child)

static void *thread(void *number)
{
	tids[(long)number] = syscall(SYS_gettid);
	pthread_barrier_wait(&all_there);
	pthread_barrier_wait(&go);
	worker_thread(work_ms);
	return NULL;
}

static void *late(void *unused)
{
	worker_late(work_ms / 2);
	return unused;
}

int main(int argc, char **argv)
{
	int option, n_threads = 0, with_child = 0, with_late = 0, waits = 0, exits = 0;
	pthread_t late_thread;
	sigset_t usr1;
	pid_t child = 0;

	while ((option = getopt(argc, argv, "sweclt:")) != -1) {
		if (option == 's')
			sleeps = 1;
		else if (option == 'w')
			waits = 1;
		else if (option == 'e')
			exits = 1;
		else if (option == 'c')
			with_child = 1;
		else if (option == 'l')
			with_late = 1;
		else if (option == 't')
			n_threads = atoi(optarg);
		else
			optind = argc;
	}
	if (optind != argc - 1 || n_threads < 0 || n_threads > THREADS_MAX) {
		fputs(USAGE, stderr);
		return 2;
	}
	work_ms = atol(argv[optind]);
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	sigprocmask(SIG_BLOCK, &usr1, NULL);
	pthread_barrier_init(&all_there, NULL, n_threads + 1);
	pthread_barrier_init(&go, NULL, n_threads + 1);
	for (long i = 0; i < n_threads; i++)
		if (pthread_create(&threads[i], NULL, thread, (void *)i))
			return 1;
	pthread_barrier_wait(&all_there);
	printf("ready %d", getpid());
	for (int i = 0; i < n_threads; i++)
		printf(" %d", tids[i]);
	puts("");
	fflush(stdout);
	if (waits)
		sigwait(&usr1, &option);
	pthread_barrier_wait(&go);
	if (exits)
		pthread_exit(NULL);
	worker_main(work_ms / 2);
	if (with_late && pthread_create(&late_thread, NULL, late, NULL))
		return 1;
	if (with_child) {
		child = fork();
		if (!child) {
			worker_child(work_ms / 2);
			return 0;
		}
	}
	worker_main(work_ms / 2);
	for (int i = 0; i < n_threads; i++)
		pthread_join(threads[i], NULL);
	if (with_late)
		pthread_join(late_thread, NULL);
	if (child)
		waitpid(child, NULL, 0);
	printf("used %ld\n", (long)clock() / (CLOCKS_PER_SEC / 1000));
	return 0;
}
