// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process that executes two programs by turns, as often as it can: two copies of this
 * one. Each maps itself several times, so that whoever walks over the process's mappings
 * is likely to be in the midst of them when the next exec comes, and a small ring is full.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096
#define MAPPINGS 48

static long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

int main(int argc, char **argv)
{
	char until[32], turns[32];
	long end;
	int fd;

	if (argc < 3) {
		fputs("Usage: reexec MS OTHER: runs OTHER, and so on, for MS milliseconds\n",
			stderr);
		return 2;
	}
	/* A third argument is how often it was done, and then the first is when to end. */
	end = atol(argv[1]) + (argc > 3 ? 0 : now_ms());
	fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 1;
	for (int i = 0; i < MAPPINGS; i++)
		if (mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
			return 1;
	snprintf(turns, sizeof(turns), "%ld", argc > 3 ? atol(argv[3]) + 1 : 1);
	if (now_ms() >= end) {
		puts(turns);
		return 0;
	}
	snprintf(until, sizeof(until), "%ld", end);
	execl(argv[2], argv[2], until, argv[0], turns, NULL);
	perror(argv[2]);
	return 1;
}
