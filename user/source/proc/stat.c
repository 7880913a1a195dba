// SPDX-License-Identifier: GPL-2.0-only
/* See stat.h. What the fields are is parse/stat.c's. */
#include "user/source/proc/stat.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "user/source/proc/file.h"

int proc_stat__read(struct task_stat *ret, pid_t pid, pid_t tid)
{
	size_t size;
	char *text;
	int code;

	code = tid ? proc_file__read(&text, &size, "/proc/%d/task/%d/stat", pid, tid)
		   : proc_file__read(&text, &size, "/proc/%d/stat", pid);
	if (code)
		return code;
	code = task_stat__parse(ret, text, size);
	free(text);
	return code;
}

static bool has_exited(pid_t pid, pid_t tid)
{
	struct task_stat stat;

	return !proc_stat__read(&stat, pid, tid) && (stat.state == 'Z' || stat.state == 'X');
}

pid_t proc_stat__living_thread(pid_t pid)
{
	struct dirent *entry;
	pid_t tid, ret = pid;
	char path[32];
	DIR *dir;

	if (!has_exited(pid, pid))
		return pid;
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && ret == pid && (entry = readdir(dir))) {
		tid = atoi(entry->d_name);
		if (tid > 0 && tid != pid && !has_exited(pid, tid))
			ret = tid;
	}
	if (dir)
		closedir(dir);
	return ret;
}
