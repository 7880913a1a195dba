// SPDX-License-Identifier: GPL-2.0-only
/*
 * More executable mappings than a small ring can take, until SIGTERM. At SIGUSR1, in the
 * midst of the storm, the libraries (see swapped.c) are loaded, so that the mappings of some
 * are among the lost; they work by turns from then on.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096
#define AT_ONCE 64
#define LIBRARIES_MAX 64

static int fd;

/* Many at once and all unmapped together: a loss is not made good by the next. */
static void map_some(void)
{
	void *at[AT_ONCE];

	for (int i = 0; i < AT_ONCE; i++)
		at[i] = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	for (int i = 0; i < AT_ONCE; i++)
		munmap(at[i], PAGE);
	/* So that the recording stays small enough to be looked at. */
	usleep(2000);
}

static void *storm(void *unused)
{
	for (;;)
		map_some();
	return unused;
}

int main(int argc, char **argv)
{
	void (*work[LIBRARIES_MAX])(void), *library;
	int i, number, n = argc - 1;
	pthread_t thread;
	sigset_t usr1;

	if (n > LIBRARIES_MAX) {
		fputs("Usage: storm [LIBRARY...]\n", stderr);
		return 2;
	}
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &usr1, NULL);
	/* What their constructors do has its time later. */
	setenv("SWAPPED_MS", "0", 1);
	fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	if (fd < 0 || pthread_create(&thread, NULL, storm, NULL))
		return 1;
	sigwait(&usr1, &number);
	for (i = 0; i < n; i++) {
		library = dlopen(argv[1 + i], RTLD_NOW);
		if (library)
			*(void **)&work[i] = dlsym(library, "in_build_1");
		if (!library || !work[i]) {
			fprintf(stderr, "storm: %s\n", dlerror());
			return 1;
		}
	}
	for (;;)
		for (i = 0; i < n; i++)
			work[i]();
}
