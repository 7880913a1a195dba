// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loads and unloads kernel modules, one after the other, again and again, without a
 * process for each: what a recording of modules is tried and timed with.
 * Usage: reload [-m] N NAME FILE...: N loads in all; prints the microseconds that one pair
 * took. With -m by init_module, from memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static double seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static int load(int fd, int from_memory)
{
	struct stat st;
	void *image;
	int code;

	if (!from_memory)
		return syscall(SYS_finit_module, fd, "", 0);
	if (fstat(fd, &st))
		return -1;
	image = malloc(st.st_size);
	code = image && read(fd, image, st.st_size) == st.st_size
		       ? syscall(SYS_init_module, image, st.st_size, "")
		       : -1;
	free(image);
	return code;
}

int main(int argc, char **argv)
{
	int from_memory = argc > 1 && !strcmp(argv[1], "-m"), n, i, fd;
	double begin;

	argc -= from_memory;
	argv += from_memory;
	n = argc > 3 ? atoi(argv[1]) : 0;
	if (n <= 0) {
		fprintf(stderr, "Usage: reload [-m] N NAME FILE...\n");
		return 2;
	}
	begin = seconds();
	for (i = 0; i < n; i++) {
		const char *file = argv[3 + i % (argc - 3)];

		fd = open(file, O_RDONLY | O_CLOEXEC);
		if (fd < 0 || load(fd, from_memory)) {
			fprintf(stderr, "%s: %s\n", file, strerror(errno));
			return 1;
		}
		close(fd);
		if (syscall(SYS_delete_module, argv[2], O_NONBLOCK)) {
			fprintf(stderr, "%s: %s\n", argv[2], strerror(errno));
			return 1;
		}
	}
	printf("%.1f\n", (seconds() - begin) / n * 1e6);
	return 0;
}
