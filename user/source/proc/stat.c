// SPDX-License-Identifier: GPL-2.0-only
/* See stat.h. What the fields are is parse/stat.c's. */
#include "user/source/proc/stat.h"

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
