// SPDX-License-Identifier: GPL-2.0-only
/*
 * More executable mappings than a small ring can take. In the midst of the storm LIBRARY
 * is loaded, so that its mapping is very likely among the lost; its constructor then
 * works (see swapped.c), and the storm goes on meanwhile.
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
	pthread_t thread;
	long end;

	if (argc != 2 && argc != 3) {
		fputs("Usage: storm MS [LIBRARY]\n", stderr);
		return 2;
	}
	fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	if (fd < 0 || pthread_create(&thread, NULL, storm, NULL))
		return 1;
	end = now_ms() + atol(argv[1]);
	while (now_ms() < end)
		usleep(1000);
	if (argc == 3 && !dlopen(argv[2], RTLD_NOW)) {
		fprintf(stderr, "storm: %s\n", dlerror());
		return 1;
	}
	over = 1;
	pthread_join(thread, NULL);
	return 0;
}
