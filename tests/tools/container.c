// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a program as container runtimes do: in a cgroup and a mount namespace of its own,
 * with an overlay of an image as its root. For each line "CGROUP IMAGE" of the standard
 * input, below HIERARCHY and IMAGES: the cgroup is made and, when the program has ended,
 * removed; a directory in WORK has the overlay's upper, work and root. Prints "PID
 * MICROSECONDS CGROUP", from the exec to the end, as soon as it is over.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what)
{
	perror(what);
	_exit(1);
}

static void make(char *path, size_t size, const char *directory, const char *name)
{
	snprintf(path, size, "%s/%s", directory, name);
	if (mkdir(path, 0755))
		fail(path);
}

static void enter(const char *cgroup)
{
	char path[4096 + 16];
	int fd;

	snprintf(path, sizeof(path), "%s/cgroup.procs", cgroup);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, "0", 1) != 1)
		fail(path);
	close(fd);
}

static void run(
	const char *cgroup, const char *image, const char *directory, int told, const char *program)
{
	char upper[1024], work[1024], root[1024], options[8192];

	enter(cgroup);
	make(upper, sizeof(upper), directory, "upper");
	make(work, sizeof(work), directory, "work");
	make(root, sizeof(root), directory, "root");
	snprintf(
		options, sizeof(options), "lowerdir=%s,upperdir=%s,workdir=%s", image, upper, work);
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		fail("unshare");
	if (mount("overlay", root, "overlay", 0, options))
		fail("overlay");
	if (chdir(root) || syscall(SYS_pivot_root, ".", ".") || umount2(".", MNT_DETACH))
		fail("pivot_root");
	if (write(told, "x", 1) != 1)
		fail("pipe");
	execl(program, program, (char *)NULL);
	fail(program);
}

static long now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* With those above it. */
static void make_cgroup(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
	if (mkdir(path, 0755))
		fail(path);
}

static void run_one(const char *program, char *cgroup, const char *image, const char *directory)
{
	int status, told[2];
	long begin_us;
	pid_t pid;
	char byte;

	make_cgroup(cgroup);
	if (mkdir(directory, 0755) || pipe(told))
		fail(directory);
	pid = fork();
	if (pid < 0)
		fail("fork");
	if (!pid)
		run(cgroup, image, directory, told[1], program);
	close(told[1]);
	if (read(told[0], &byte, 1) != 1)
		_exit(1);
	begin_us = now_us();
	if (waitpid(pid, &status, 0) != pid || status)
		_exit(1);
	printf("%d %ld %s\n", pid, now_us() - begin_us, cgroup);
	fflush(stdout);
	close(told[0]);
	if (rmdir(cgroup))
		fail(cgroup);
}

int main(int argc, char **argv)
{
	char cgroup[512], image[512], cgroup_path[4096], image_path[4096], directory[4096];

	if (argc != 5) {
		fprintf(stderr, "usage: container PROGRAM HIERARCHY IMAGES WORK <LINES\n");
		return 2;
	}
	for (int i = 1; scanf("%511s %511s", cgroup, image) == 2; i++) {
		snprintf(cgroup_path, sizeof(cgroup_path), "%s/%s", argv[2], cgroup);
		snprintf(image_path, sizeof(image_path), "%s/%s", argv[3], image);
		snprintf(directory, sizeof(directory), "%s/%d", argv[4], i);
		run_one(argv[1], cgroup_path, image_path, directory);
	}
	return 0;
}
