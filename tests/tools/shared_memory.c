// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process that shares its memory with another one, which moves to another cgroup and to a
 * mount namespace of its own, and maps a file there as code.
 *
 *   shared_memory CGROUP FILE     prints "PID CHILD", the pids of the memory's owner and of the
 *                                 process that maps
 */
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define STACK 65536

static const char *failed;
static char procs[PATH_MAX];
static const char *path;

static int map(void *unused)
{
	int cgroup = open(procs, O_WRONLY), fd = open(path, O_RDONLY);

	(void)unused;
	if (cgroup < 0 || write(cgroup, "0", 1) != 1)
		failed = procs;
	else if (unshare(CLONE_NEWNS))
		failed = "unshare";
	else if (fd < 0 || mmap(NULL, 1, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
		failed = path;
	return 0;
}

int main(int argc, char **argv)
{
	static char stack[STACK];
	pid_t child;

	if (argc != 3)
		return 2;
	snprintf(procs, sizeof(procs), "%s/cgroup.procs", argv[1]);
	path = argv[2];
	child = clone(map, stack + STACK, CLONE_VM | SIGCHLD, NULL);
	if (child < 0 || waitpid(child, NULL, 0) != child)
		failed = "clone";
	if (failed) {
		perror(failed);
		return 1;
	}
	printf("%d %d\n", getpid(), child);
	return 0;
}
