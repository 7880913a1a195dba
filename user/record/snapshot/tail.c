// SPDX-License-Identifier: GPL-2.0-only
/* See tail.h. */
#include "user/record/snapshot/tail.h"

#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "user/base/array.h"
#include "user/source/proc/stat.h"

struct tail {
	pid_t *pids;
	uint64_t *ticks; /* start time of each, since boot, because pids are reused */
	size_t n;
};

static int read_ticks(pid_t pid, uint64_t *ret)
{
	struct task_stat stat;
	int code = proc_stat__read(&stat, pid, 0);

	*ret = code ? 0 : stat.start_ticks;
	return code;
}

static int add(struct tail *tail, pid_t pid)
{
	uint64_t ticks;
	int code = read_ticks(pid, &ticks);

	if (code)
		return code == -ENOMEM ? code : 0; /* it has ended */
	if (array__extend(&tail->pids, tail->n, sizeof(*tail->pids)) ||
		array__extend(&tail->ticks, tail->n, sizeof(*tail->ticks)))
		return -ENOMEM;
	tail->pids[tail->n] = pid;
	tail->ticks[tail->n++] = ticks;
	return 0;
}

static int add_all(struct tail *tail)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	int code = 0;

	if (!proc)
		return -errno;
	while (!code && (entry = readdir(proc))) {
		pid_t pid = atoi(entry->d_name);

		if (pid > 0)
			code = add(tail, pid);
	}
	closedir(proc);
	return code;
}

int tail__new(struct tail **ret, const pid_t *pids, size_t n, struct error *err)
{
	struct tail *tail = calloc(1, sizeof(*tail));
	int code = tail ? 0 : -ENOMEM;

	if (tail && !n)
		code = add_all(tail);
	for (size_t i = 0; !code && i < n; i++)
		code = add(tail, pids[i]);
	if (code) {
		tail__free(tail);
		return error__errno(err, code, "list of processes");
	}
	*ret = tail;
	return 0;
}

void tail__free(struct tail *tail)
{
	if (!tail)
		return;
	free(tail->pids);
	free(tail->ticks);
	free(tail);
}

const pid_t *tail__living(struct tail *tail, size_t *ret_n)
{
	size_t n = 0;

	for (size_t i = 0; i < tail->n; i++) {
		uint64_t ticks;

		if (read_ticks(tail->pids[i], &ticks) || ticks != tail->ticks[i])
			continue;
		tail->pids[n] = tail->pids[i];
		tail->ticks[n++] = ticks;
	}
	tail->n = n;
	*ret_n = n;
	return tail->pids;
}
