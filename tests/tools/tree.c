// SPDX-License-Identifier: GPL-2.0-only
/*
 * Trees of processes and threads that are hard to sample, and the CPU time that they used.
 *
 *   tree used FILE FIFO COMMAND...  waits until somebody opens FIFO for writing (- does not
 *                                   wait), runs COMMAND, and writes the CPU time of all its
 *                                   processes into FILE, in microseconds
 *   tree server N                   N children, one after the other, that work for 1 ms
 *   tree threads N                  N threads, one after the other, that work for 1 ms
 *   tree spawn N COMMAND...         N times COMMAND, by vfork() and posix_spawn() by turns
 *   tree session N                  N children, each in a session of its own and, if root
 *                                   runs this, of another user, which work for 1 ms
 *   tree exec COMMAND...            works for 100 ms in two threads, of which the second one then
 *                                   executes COMMAND
 *   tree spin N                     N million additions
 *   tree lives ROUNDS FILE          in each round, four processes at once, of which each uses
 *                                   about 50 ms by children that live 0.2, 1, 5, or 50 ms.
 *                                   Their names are LIFE.ROUND, and the children's, too. Writes
 *                                   a line "NAME MICROSECONDS" for each into FILE
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OTHER_USER 12322
#define ROUND_US 50000
#define N_LIVES 4

extern char **environ;
static const unsigned int LIVES_US[N_LIVES] = {200, 1000, 5000, 50000};

static unsigned long used_us(int who)
{
	struct rusage use;

	getrusage(who, &use);
	return (unsigned long)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1000000 +
	       (unsigned long)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

/* By the clock of this thread: the time that it was made in counts. */
static void work(long us)
{
	struct timespec now;

	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	while (now.tv_sec * 1000000 + now.tv_nsec / 1000 < us);
}

static pid_t fork_one(void)
{
	pid_t pid = fork();

	if (pid < 0)
		err(1, "fork");
	return pid;
}

static void wait_for(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || status)
		errx(1, "a child failed");
}

static void print_used(const char *path, const char *name, unsigned long us)
{
	char line[128];
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	int length = snprintf(line, sizeof(line), "%s%lu\n", name, us);

	if (fd < 0 || write(fd, line, (size_t)length) != length)
		err(1, "%s", path);
	close(fd);
}

static void used(char **argv)
{
	pid_t pid;
	int fd;

	if (strcmp(argv[1], "-") != 0) {
		fd = open(argv[1], O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			err(1, "%s", argv[1]);
		close(fd);
	}
	pid = fork_one();
	if (!pid) {
		execvp(argv[2], argv + 2);
		err(1, "%s", argv[2]);
	}
	wait_for(pid);
	print_used(argv[0], "", used_us(RUSAGE_CHILDREN));
}

static void server(int n)
{
	while (n-- > 0) {
		pid_t pid = fork_one();

		if (!pid) {
			work(1000);
			_exit(0);
		}
		wait_for(pid);
	}
}

static void *on_thread(void *arg)
{
	work(1000);
	return arg;
}

static void threads(int n)
{
	pthread_t thread;

	while (n-- > 0) {
		if (pthread_create(&thread, NULL, on_thread, NULL))
			errx(1, "pthread_create");
		pthread_join(thread, NULL);
	}
}

static void *execute(void *arg)
{
	char **argv = arg;

	work(100000);
	execvp(argv[0], argv);
	err(1, "%s", argv[0]);
}

static void exec_by_thread(char **argv)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, execute, argv))
		errx(1, "pthread_create");
	work(100000);
	pause();
}

static void spawn(int n, char **argv)
{
	pid_t pid;

	while (n-- > 0) {
		if (n % 2) {
			if (posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ))
				errx(1, "posix_spawn");
		} else {
			pid = vfork();
			if (!pid) {
				execvp(argv[0], argv);
				_exit(127);
			}
		}
		wait_for(pid);
	}
}

static void session(int n)
{
	while (n-- > 0) {
		pid_t pid = fork_one();

		if (!pid) {
			if (setsid() < 0 || (!geteuid() && setuid(OTHER_USER)))
				err(1, "setsid, setuid");
			work(1000);
			_exit(0);
		}
		wait_for(pid);
	}
}

static void spin(unsigned long n)
{
	unsigned long i;

	for (i = 0; i < n * 1000000; i++)
		__asm__ volatile("" : "+r"(i));
}

/* Half to one and a half of @us, so that nothing keeps step with the clock of the samples. */
static void live(unsigned int us, unsigned int seed, const char *path, const char *name)
{
	unsigned long left = ROUND_US;

	srand(seed);
	while (left) {
		unsigned long part = us / 2 + (unsigned long)rand() % us;
		pid_t pid = fork_one();

		if (!pid) {
			work((long)part);
			_exit(0);
		}
		wait_for(pid);
		left = part < left ? left - part : 0;
	}
	print_used(path, name, used_us(RUSAGE_SELF) + used_us(RUSAGE_CHILDREN));
	_exit(0);
}

static void lives(unsigned int rounds, const char *path)
{
	pid_t pids[N_LIVES];
	unsigned int round, i;
	char name[32];

	for (round = 0; round < rounds; round++) {
		for (i = 0; i < N_LIVES; i++) {
			snprintf(name, sizeof(name), "%u.%u", LIVES_US[i], round);
			pids[i] = fork_one();
			if (pids[i])
				continue;
			prctl(PR_SET_NAME, name);
			strcat(name, " ");
			live(LIVES_US[i], round * N_LIVES + i + 1, path, name);
		}
		for (i = 0; i < N_LIVES; i++)
			wait_for(pids[i]);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";

	if (!strcmp(what, "used") && argc > 4)
		used(argv + 2);
	else if (!strcmp(what, "server"))
		server(atoi(argv[2]));
	else if (!strcmp(what, "threads"))
		threads(atoi(argv[2]));
	else if (!strcmp(what, "spawn") && argc > 3)
		spawn(atoi(argv[2]), argv + 3);
	else if (!strcmp(what, "session"))
		session(atoi(argv[2]));
	else if (!strcmp(what, "exec"))
		exec_by_thread(argv + 2);
	else if (!strcmp(what, "spin"))
		spin(strtoul(argv[2], NULL, 10));
	else if (!strcmp(what, "lives") && argc > 3)
		lives((unsigned int)atoi(argv[2]), argv[3]);
	else
		errx(2, "Usage: see tests/tools/tree.c");
	return 0;
}
