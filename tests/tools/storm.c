// SPDX-License-Identifier: GPL-2.0-only
/*
 * More executable mappings than a small ring can take. In the midst of the storm the
 * libraries (see swapped.c) are loaded, so that the mappings of some are among the lost;
 * they work by turns for half of the time, and the storm goes on meanwhile.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096
#define AT_ONCE 64
#define LIBRARIES_MAX 64

static atomic_int over;
static int fd;

static long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* Many at once and all unmapped together: a loss is not made good by the next. */
static void map_some(void)
{
	void *at[AT_ONCE];

	for (int i = 0; i < AT_ONCE; i++)
		at[i] = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	for (int i = 0; i < AT_ONCE; i++)
		munmap(at[i], PAGE);
}

static void *storm(void *unused)
{
	while (!over)
		map_some();
	return unused;
}

int main(int argc, char **argv)
{
	void (*work[LIBRARIES_MAX])(void), *library;
	int i, n = argc - 2;
	pthread_t thread;
	long begin, ms;

	if (n < 0 || n > LIBRARIES_MAX) {
		fputs("Usage: storm MS [LIBRARY...]\n", stderr);
		return 2;
	}
	ms = atol(argv[1]);
	/* What their constructors do has its time later. */
	setenv("SWAPPED_MS", "0", 1);
	fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	if (fd < 0 || pthread_create(&thread, NULL, storm, NULL))
		return 1;
	begin = now_ms();
	while (now_ms() < begin + ms / 2)
		usleep(1000);
	for (i = 0; i < n; i++) {
		library = dlopen(argv[2 + i], RTLD_NOW);
		if (library)
			*(void **)&work[i] = dlsym(library, "in_build_1");
		if (!library || !work[i]) {
			fprintf(stderr, "storm: %s\n", dlerror());
			return 1;
		}
	}
	while (now_ms() < begin + ms)
		for (i = 0; i < n; i++)
			work[i]();
	over = 1;
	pthread_join(thread, NULL);
	return 0;
}
