// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is recorded. Each load does one thing over and over. Those that are timed
 * print nanoseconds of CPU time for each time, children's included: the median of
 * ten parts, so that what else the machine does counts for little.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/lib/tool.h"

#define PAGE 4096
#define PARTS 10
#define FAULT_PAGES 512
#define FRAMES 30

static const char USAGE[] =
	"Usage: load mmap N FILE   map FILE executable and unmap it, N times; prints ns\n"
	"       load new N FILE    the same, each after FILE was written, as it is; prints ns\n"
	"       load cold N FILE   the same, each after its pages were dropped as well; prints ns\n"
	"       load exec N        fork, exec this program, exit, N times; prints ns\n"
	"       load storm N       the same, N times on each CPU at once; prints how many\n"
	"       load faults        page faults, 30 frames deep, until it is killed\n"
	"       load burn SECONDS  computes\n"
	"       load nothing       exits\n";

static uint64_t cpu_ns(void)
{
	struct rusage children;

	getrusage(RUSAGE_CHILDREN, &children);
	return now_ns(CLOCK_PROCESS_CPUTIME_ID) +
	       (children.ru_utime.tv_sec + children.ru_stime.tv_sec) * 1000000000ull +
	       (children.ru_utime.tv_usec + children.ru_stime.tv_usec) * 1000ull;
}

static void map_once(int fd)
{
	void *at = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);

	if (at == MAP_FAILED || munmap(at, PAGE))
		fail("mmap");
}

/* The first byte, by itself: it is other content to whoever knows only that it was written. */
static void rewrite(const char *file, int drop)
{
	char byte;
	int fd = open(file, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		fail(file);
	if (pread(fd, &byte, 1, 0) != 1 || pwrite(fd, &byte, 1, 0) != 1)
		fail(file);
	if (drop && (fsync(fd) || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED)))
		fail(file);
	close(fd);
}

/* With a look at the first page, so that whoever has it read has it for all. */
static void map_and_look(int fd)
{
	void *at = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);

	if (at == MAP_FAILED)
		fail("mmap");
	(void)*(volatile char *)at;
	if (munmap(at, PAGE))
		fail("munmap");
}

static void exec_once(int unused)
{
	static char *const argv[] = {"load", "nothing", NULL};
	int status;
	pid_t pid;

	(void)unused;
	pid = fork();
	if (pid < 0)
		fail("fork");
	if (!pid) {
		execv("/proc/self/exe", argv);
		_exit(127);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		fail("exec");
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void print_median(double *parts)
{
	qsort(parts, PARTS, sizeof(*parts), compare);
	printf("%.0f\n", (parts[PARTS / 2 - 1] + parts[PARTS / 2]) / 2);
}

static void time_it(void (*once)(int), int arg, long n)
{
	double parts[PARTS];
	uint64_t start;
	long turns = n / PARTS, i, part;

	for (part = 0; part < PARTS; part++) {
		start = cpu_ns();
		for (i = 0; i < turns; i++)
			once(arg);
		parts[part] = (double)(cpu_ns() - start) / (double)turns;
	}
	print_median(parts);
}

/* What is done before each turn is not counted. */
static void time_rewritten(const char *file, int drop, long n)
{
	double parts[PARTS];
	uint64_t start, sum;
	long turns = n / PARTS, i, part;
	int fd = open(file, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		fail(file);
	for (part = 0; part < PARTS; part++) {
		sum = 0;
		for (i = 0; i < turns; i++) {
			rewrite(file, drop);
			start = now_ns(CLOCK_PROCESS_CPUTIME_ID);
			map_and_look(fd);
			sum += now_ns(CLOCK_PROCESS_CPUTIME_ID) - start;
		}
		parts[part] = (double)sum / (double)turns;
	}
	print_median(parts);
}

static void storm(long n)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN), cpu, i;
	cpu_set_t set;
	int status;

	for (cpu = 0; cpu < cpus; cpu++) {
		pid_t pid = fork();

		if (pid < 0)
			fail("fork");
		if (pid)
			continue;
		/* Every CPU is kept busy; one that may not be used is left to the scheduler. */
		CPU_ZERO(&set);
		CPU_SET(cpu, &set);
		sched_setaffinity(0, sizeof(set), &set);
		for (i = 0; i < n; i++)
			exec_once(0);
		_exit(0);
	}
	for (cpu = 0; cpu < cpus; cpu++)
		if (wait(&status) < 0 || status)
			fail("storm");
	printf("%ld\n", n * cpus);
}

static __attribute__((noinline)) int fault_below(int frames, volatile char *area)
{
	int i, sum = 0;

	if (frames) {
		sum = fault_below(frames - 1, area);
		/* Otherwise the compiler makes a loop of it, and there are no frames. */
		__asm__ volatile("" : "+r"(sum));
		return sum;
	}
	for (;;) {
		if (madvise((void *)area, FAULT_PAGES * PAGE, MADV_DONTNEED))
			fail("madvise");
		for (i = 0; i < FAULT_PAGES; i++)
			sum += area[i * PAGE]++;
		if (sum < 0)
			return 0;
	}
}

static void faults(void)
{
	void *area = mmap(NULL, FAULT_PAGES * PAGE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (area == MAP_FAILED)
		fail("mmap");
	madvise(area, FAULT_PAGES * PAGE, MADV_NOHUGEPAGE);
	fault_below(FRAMES, area);
}

static void burn(double seconds)
{
	uint64_t end = now_ns(CLOCK_MONOTONIC) + (uint64_t)(seconds * 1e9);
	volatile unsigned int x = 0;
	int i;

	while (now_ns(CLOCK_MONOTONIC) < end)
		for (i = 0; i < 100000; i++)
			x += i;
	(void)x;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	long n = argc > 2 ? atol(argv[2]) : 0;
	int fd;

	if (!strcmp(what, "nothing") && argc == 2)
		return 0;
	if (!strcmp(what, "mmap") && argc == 4 && n >= PARTS) {
		fd = open(argv[3], O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			fail(argv[3]);
		time_it(map_once, fd, n);
		return 0;
	}
	if ((!strcmp(what, "new") || !strcmp(what, "cold")) && argc == 4 && n >= PARTS) {
		time_rewritten(argv[3], !strcmp(what, "cold"), n);
		return 0;
	}
	if (!strcmp(what, "exec") && argc == 3 && n >= PARTS) {
		time_it(exec_once, 0, n);
		return 0;
	}
	if (!strcmp(what, "storm") && argc == 3 && n > 0) {
		storm(n);
		return 0;
	}
	if (!strcmp(what, "faults") && argc == 2) {
		faults();
		return 0;
	}
	if (!strcmp(what, "burn") && argc == 3) {
		burn(atof(argv[2]));
		return 0;
	}
	fputs(USAGE, stderr);
	return 2;
}
