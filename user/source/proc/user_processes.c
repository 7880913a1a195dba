// SPDX-License-Identifier: GPL-2.0-only
/* See user_processes.h. */
#include "user/source/proc/user_processes.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "user/base/array.h"
#include "user/parse/stat.h"
#include "user/source/proc/file.h"

/* As in perf (parse_uid in tools/perf/util/target.c): a name, otherwise a number. */
static bool find_user(uid_t *ret, const char *user)
{
	const struct passwd *entry = getpwnam(user);
	unsigned long number;
	char *end;

	if (entry) {
		*ret = entry->pw_uid;
		return true;
	}
	errno = 0;
	number = strtoul(user, &end, 10);
	*ret = number;
	return isdigit((unsigned char)*user) && !errno && !*end && *ret == number;
}

static bool is_of(pid_t pid, uid_t uid, uint64_t *ret_parent)
{
	uint64_t real;
	char *status;
	bool same;

	if (proc_file__read(&status, NULL, "/proc/%d/status", pid))
		return false;
	same = !task_status__number(&real, status, "Uid") && real == uid &&
	       !task_status__number(ret_parent, status, "PPid");
	free(status);
	return same;
}

static bool was_there(const struct user_processes_before *before, pid_t pid)
{
	for (size_t i = 0; i < before->n; i++)
		if (before->pids[i] == pid)
			return true;
	return false;
}

ssize_t user_processes__find(pid_t **ret, const char *user,
	const struct user_processes_before *before, struct error *err)
{
	struct dirent *entry;
	pid_t *pids = NULL;
	size_t n = 0;
	int code = 0;
	uid_t uid;
	DIR *dir;

	if (!find_user(&uid, user))
		return error__set(err, -EINVAL, "-u: user '%s' does not exist", user);
	dir = opendir("/proc");
	if (!dir) {
		code = -errno;
		return error__errno(err, code, "/proc");
	}
	while (!code && (entry = readdir(dir))) {
		pid_t pid = atoi(entry->d_name);
		uint64_t parent;

		if (pid <= 0 || pid == getpid() || !is_of(pid, uid, &parent))
			continue;
		/*
		 * If a shell executed perfstamp, our children include the shell's jobs, which
		 * existed before.
		 */
		if (before && parent == (uint64_t)getpid() && !was_there(before, pid))
			continue;
		code = array__extend(&pids, n, sizeof(*pids));
		if (!code)
			pids[n++] = pid;
	}
	closedir(dir);
	if (!code && n) {
		*ret = pids;
		return n;
	}
	free(pids);
	if (code)
		return error__errno(err, code, "processes of user '%s'", user);
	return error__set(err, -ESRCH, "-u: user '%s' has no process", user);
}
