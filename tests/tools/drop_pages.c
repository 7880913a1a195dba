// SPDX-License-Identifier: GPL-2.0-only
/*
 * Drops the pages of files from memory, and does not end before they are gone: one that is
 * being written or looked at by the kernel for a moment is not dropped at the first try.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/lib/tool.h"

#define TRIES 6000 /* a minute and more */

static bool is_in_memory(int fd, size_t size, const char *path)
{
	size_t page = sysconf(_SC_PAGESIZE), n = (size + page - 1) / page, i;
	unsigned char *pages = malloc(n);
	void *at = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	bool found = false;

	if (!pages || at == MAP_FAILED || mincore(at, size, pages))
		fail(path);
	munmap(at, size);
	for (i = 0; i < n; i++)
		found = found || (pages[i] & 1);
	free(pages);
	return found;
}

static void drop(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), tries;
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		fail(path);
	for (tries = 0; st.st_size && tries < TRIES; tries++) {
		if (fsync(fd) || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED))
			fail(path);
		if (!is_in_memory(fd, st.st_size, path))
			break;
		usleep(10000);
	}
	close(fd);
	if (tries == TRIES) {
		errno = EBUSY;
		fail(path);
	}
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fputs("Usage: drop_pages FILE...\n", stderr);
		return 2;
	}
	for (int i = 1; i < argc; i++)
		drop(argv[i]);
	return 0;
}
