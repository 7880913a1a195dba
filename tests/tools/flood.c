// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a hostile container does as fast as it can:
 *   flood maps PROCESSES N     maps the program itself N times, in so many processes at once
 *   flood cgroups N DIR        makes and removes N cgroups below DIR, each with another name
 *   flood mounts N DIR FILE    mounts FILE's directory on DIR N times, and maps FILE there
 * Prints how many mappings, cgroups or mounts there were.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096

static void fail(const char *what)
{
	fprintf(stderr, "flood: %s: %s\n", what, strerror(errno));
	_exit(1);
}

static void map(const char *path, unsigned long times)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *at;

	if (fd < 0)
		fail(path);
	while (times--) {
		at = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
		if (at == MAP_FAILED)
			fail("mmap");
		munmap(at, PAGE);
	}
	close(fd);
}

/* None begins before all are there. */
static unsigned long maps(unsigned long processes, unsigned long n)
{
	unsigned long each = n / processes;
	int gate[2], status;
	char byte;

	if (pipe(gate))
		fail("pipe");
	for (unsigned long i = 0; i < processes; i++) {
		pid_t pid = fork();

		if (pid < 0)
			fail("fork");
		if (pid)
			continue;
		close(gate[1]);
		if (read(gate[0], &byte, 1))
			fail("read");
		map("/proc/self/exe", each);
		_exit(0);
	}
	close(gate[1]);
	for (unsigned long i = 0; i < processes; i++)
		if (wait(&status) < 0 || status)
			fail("process");
	return each * processes;
}

static unsigned long cgroups(unsigned long n, const char *dir)
{
	char path[PATH_MAX];

	for (unsigned long i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/pod-%0200lu", dir, i);
		if (mkdir(path, 0755) || rmdir(path))
			fail(path);
	}
	return n;
}

static unsigned long mounts(unsigned long n, const char *dir, const char *file)
{
	char from[PATH_MAX], name[PATH_MAX], path[2 * PATH_MAX];

	snprintf(from, sizeof(from), "%s", file);
	snprintf(name, sizeof(name), "%s", file);
	snprintf(path, sizeof(path), "%s/%s", dir, basename(name));
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		fail("mount namespace");
	for (unsigned long i = 0; i < n; i++) {
		if (mount(i ? from : dirname(from), dir, NULL, MS_BIND, NULL))
			fail(dir);
		map(path, 1);
		if (umount2(dir, MNT_DETACH))
			fail(dir);
	}
	return n;
}

int main(int argc, char **argv)
{
	unsigned long n = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;

	if (argc == 4 && n && !strcmp(argv[1], "maps"))
		n = maps(n, strtoul(argv[3], NULL, 10));
	else if (argc == 4 && n && !strcmp(argv[1], "cgroups"))
		n = cgroups(n, argv[3]);
	else if (argc == 5 && n && !strcmp(argv[1], "mounts"))
		n = mounts(n, argv[3], argv[4]);
	else {
		fputs("Usage: flood maps PROCESSES N | cgroups N DIR | mounts N DIR FILE\n",
			stderr);
		return 2;
	}
	printf("%lu\n", n);
	return 0;
}
