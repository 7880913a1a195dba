// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many processes, each of which executes a program that is replaced by another build again
 * and again: what a recording that lasts is tried with. The build-id of each build begins
 * with its number, which goes on where an earlier run stopped; the rest stays.
 * Usage: forker N EVERY PROGRAM: N processes, as many at once as there are CPUs; after each
 * EVERY another build; prints the number of the last one
 */
#include <elf.h>
#include <endian.h>
#include <err.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE_MAX_PROGRAM (1 << 20)

static uint8_t image[SIZE_MAX_PROGRAM];
static size_t image_size;
static uint32_t *build; /* in the image, big-endian */

/* The note with the name GNU that is the build-id. */
static void find_build(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, image, sizeof(image));
	size_t at;

	if (n < 0 || n == sizeof(image))
		err(1, "%s", path);
	close(fd);
	image_size = n;
	for (at = 0; at + sizeof(Elf64_Nhdr) + 8 <= image_size; at += 4) {
		const Elf64_Nhdr *note = (const void *)(image + at);

		if (note->n_namesz == 4 && note->n_type == NT_GNU_BUILD_ID &&
			!memcmp(note + 1, "GNU", 4)) {
			build = (uint32_t *)((char *)(note + 1) + 4);
			return;
		}
	}
	errx(1, "%s: no build-id", path);
}

/* By a new file that takes the name, as package managers do it. */
static void replace(const char *path)
{
	char next[PATH_MAX];
	int fd;

	*build = htobe32(be32toh(*build) + 1);
	snprintf(next, sizeof(next), "%s.new", path);
	unlink(next);
	fd = open(next, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
	if (fd < 0 || write(fd, image, image_size) != (ssize_t)image_size || close(fd) ||
		rename(next, path))
		err(1, "%s", next);
}

static void run_all(long n, long every, char *program, bool replaces)
{
	char *const argv[] = {program, NULL}, *const environment[] = {NULL};
	int status, code;
	pid_t pid;
	long i;

	for (i = 1; i <= n; i++) {
		code = posix_spawn(&pid, program, NULL, NULL, argv, environment);
		if (code)
			errx(1, "%s: %s", program, strerror(code));
		if (waitpid(pid, &status, 0) != pid || status)
			errx(1, "%s: status %d", program, status);
		if (replaces && i % every == 0)
			replace(program);
	}
}

int main(int argc, char **argv)
{
	long n = argc == 4 ? atol(argv[1]) : 0, every = argc == 4 ? atol(argv[2]) : 0;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN), cpu, mine;
	int status;

	if (n <= 0 || every <= 0)
		errx(2, "Usage: forker N EVERY PROGRAM");
	find_build(argv[3]);
	for (cpu = 1; cpu < cpus; cpu++) {
		pid_t pid = fork();

		if (pid < 0)
			err(1, "fork");
		if (pid)
			continue;
		run_all(n / cpus, every, argv[3], false);
		_exit(0);
	}
	mine = n - (cpus - 1) * (n / cpus);
	run_all(mine, every < cpus ? 1 : every / cpus, argv[3], true);
	while (wait(&status) > 0)
		if (status)
			errx(1, "one of us failed");
	printf("%u\n", be32toh(*build));
	return 0;
}
