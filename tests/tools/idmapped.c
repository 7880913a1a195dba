// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mounts a directory a second time with its users mapped to others: idmapped SOURCE
 * TARGET. util-linux has an option for it from 2.39 on; Debian 12 has 2.38. Status 0;
 * 77 where this kernel has no such mounts (before 5.12) or not of this file system.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* linux/mount.h cannot be included beside sys/mount.h in glibc 2.36. */
#ifndef MOUNT_ATTR_IDMAP
#define MOUNT_ATTR_IDMAP 0x00100000
#endif
#define NO_SUCH_MOUNTS 77

static int fail(const char *what)
{
	fprintf(stderr, "idmapped: %s: %s\n", what, strerror(errno));
	return 1;
}

static int write_map(pid_t pid, const char *file)
{
	static const char MAP[] = "0 100000 65536";
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	n = write(fd, MAP, sizeof(MAP) - 1);
	close(fd);
	return n == sizeof(MAP) - 1 ? 0 : -1;
}

/* A user namespace with the map, as a descriptor; it is a child's while that lives. */
static int open_user_namespace(void)
{
	char path[64], byte;
	int ready[2], fd = -1;
	pid_t pid;

	if (pipe2(ready, O_CLOEXEC))
		return -1;
	pid = fork();
	if (pid < 0)
		return -1;
	if (!pid) {
		if (unshare(CLONE_NEWUSER) || write(ready[1], "", 1) != 1)
			_exit(1);
		pause();
		_exit(0);
	}
	close(ready[1]);
	snprintf(path, sizeof(path), "/proc/%d/ns/user", pid);
	if (read(ready[0], &byte, 1) == 1 && !write_map(pid, "uid_map") &&
		!write_map(pid, "gid_map"))
		fd = open(path, O_RDONLY | O_CLOEXEC);
	close(ready[0]);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return fd;
}

int main(int argc, char **argv)
{
	struct mount_attr attr = {.attr_set = MOUNT_ATTR_IDMAP};
	int tree, namespace;

	if (argc != 3) {
		fputs("Usage: idmapped SOURCE TARGET\n", stderr);
		return 2;
	}
	namespace = open_user_namespace();
	if (namespace < 0)
		return fail("user namespace");
	attr.userns_fd = namespace;
	tree = open_tree(AT_FDCWD, argv[1], OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
	if (tree < 0)
		return fail(argv[1]);
	if (mount_setattr(tree, "", AT_EMPTY_PATH, &attr, sizeof(attr)))
		return errno == ENOSYS || errno == EINVAL ? NO_SUCH_MOUNTS : fail("mount_setattr");
	if (move_mount(tree, "", AT_FDCWD, argv[2], MOVE_MOUNT_F_EMPTY_PATH))
		return fail(argv[2]);
	return 0;
}
