// SPDX-License-Identifier: GPL-2.0-only
/*
 * See code_file.h. A map file is in a directory that everyone may write to, so the file is
 * checked first (O_PATH), and opened only if it is valid.
 */
#include "user/record/capture/code_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "user/source/proc/file.h"

/* Stores the last number of the line that begins with @field. */
static int last_number(const char *text, const char *field, pid_t *ret)
{
	const char *line = strstr(text, field), *end;

	if (!line)
		return -ENOENT;
	line++;
	end = line + strcspn(line, "\n");
	while (end > line && end[-1] >= '0' && end[-1] <= '9')
		end--;
	*ret = (pid_t)strtol(end, NULL, 10);
	return 0;
}

static bool is_in_our_time(pid_t pid)
{
	char name[48], ours[64], theirs[64];
	ssize_t n, m;

	snprintf(name, sizeof(name), "/proc/%d/ns/time", pid);
	n = readlink("/proc/self/ns/time", ours, sizeof(ours));
	m = readlink(name, theirs, sizeof(theirs));
	/* Both links are missing on a kernel without time namespaces. */
	return n == m && (n < 0 || !memcmp(ours, theirs, n));
}

int code_file__owner(pid_t pid, struct code_owner *ret)
{
	unsigned int real, effective;
	const char *uid;
	char *text;
	int code = proc_file__read(&text, NULL, "/proc/%d/status", pid);

	if (code)
		return code == -ENOENT ? -ESRCH : code;
	uid = strstr(text, "\nUid:");
	ret->own_pid = pid;
	last_number(text, "\nNSpid:", &ret->own_pid);
	if (!uid || sscanf(uid, "\nUid: %u %u", &real, &effective) != 2)
		code = -EBADMSG;
	else
		ret->uid = effective;
	free(text);
	ret->other_clock = !is_in_our_time(pid);
	return code;
}

static int open_in(int dir, const char *path, uint64_t flags, uint64_t resolve)
{
	struct open_how how = {.flags = flags | O_CLOEXEC, .resolve = resolve};
	int fd = syscall(SYS_openat2, dir, path, &how, sizeof(how));

	return fd < 0 ? -errno : fd;
}

int code_file__open_tmp(pid_t pid)
{
	char name[32];
	int root, fd;

	snprintf(name, sizeof(name), "/proc/%d/root", pid);
	root = open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return -errno;
	fd = open_in(root, "tmp", O_PATH | O_DIRECTORY, RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS);
	close(root);
	return fd;
}

/* Opens the file of @fd (O_PATH) for reading, if it is a file of the owner's. Closes @fd. */
static int open_checked(int fd, const struct code_owner *owner)
{
	int opened = -EPERM;
	char link[32];
	struct stat st;

	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == owner->uid) {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		opened = open(link, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		if (opened < 0)
			opened = errno == EPERM ? -EACCES : -errno;
	}
	close(fd);
	return opened;
}

int code_file__open_map(int tmp, const struct code_owner *owner)
{
	char name[40];
	int fd;

	snprintf(name, sizeof(name), "perf-%d.map", owner->own_pid);
	fd = open_in(tmp, name, O_PATH | O_NOFOLLOW, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS);
	return fd < 0 ? fd : open_checked(fd, owner);
}

int code_file__open_dump(pid_t pid, uint64_t addr, uint64_t len, const struct code_owner *owner)
{
	char name[96];
	int fd;

	/* This opens the mapped file, even if another file is now at its path. */
	snprintf(name, sizeof(name), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, pid, addr,
		addr + len);
	fd = open(name, O_PATH | O_CLOEXEC);
	return fd < 0 ? -errno : open_checked(fd, owner);
}
