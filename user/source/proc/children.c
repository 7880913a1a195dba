// SPDX-License-Identifier: GPL-2.0-only
/* See children.h. */
#include "user/source/proc/children.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

#include "user/base/array.h"
#include "user/source/proc/stat.h"

struct child {
	pid_t pid;
	pid_t ppid;
	bool is_one;
};

struct children {
	struct child *v; /* by pid */
	size_t n, room;
};

static int read_parent(pid_t pid, pid_t *ret)
{
	struct task_stat stat;
	int code = proc_stat__read(&stat, pid, 0);

	*ret = code ? 0 : (pid_t)stat.ppid;
	return code;
}

static int append(struct children *all, pid_t pid, pid_t ppid)
{
	if (array__reserve(&all->v, &all->room, all->n + 1, sizeof(*all->v)))
		return -ENOMEM;
	all->v[all->n++] = (struct child){.pid = pid, .ppid = ppid};
	return 0;
}

static int read_all(struct children *all)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	pid_t pid, ppid;
	int code = 0;

	if (!dir)
		return -errno;
	while (!code && (entry = readdir(dir))) {
		pid = atoi(entry->d_name);
		/* A process that has ended has no children. */
		if (pid > 0 && !read_parent(pid, &ppid))
			code = append(all, pid, ppid);
	}
	closedir(dir);
	return code;
}

static int by_pid(const void *a, const void *b)
{
	const struct child *left = a, *right = b;

	return (left->pid > right->pid) - (left->pid < right->pid);
}

static bool has_parent(const struct children *all, const struct child *child)
{
	const struct child key = {.pid = child->ppid};
	const struct child *parent = bsearch(&key, all->v, all->n, sizeof(key), by_pid);

	return parent && parent->is_one;
}

int proc_children__add(bool (*is_one)(void *ctx, pid_t pid), int (*add)(void *ctx, pid_t pid),
	void *ctx, struct error *err)
{
	struct children all = {0};
	bool found = true;
	size_t i;
	int code;

	code = read_all(&all);
	if (code) {
		free(all.v);
		return error__errno(err, code, "/proc");
	}
	if (all.n)
		qsort(all.v, all.n, sizeof(*all.v), by_pid);
	for (i = 0; i < all.n; i++)
		all.v[i].is_one = is_one(ctx, all.v[i].pid);
	/* A child mostly has a higher pid than its parent, so few passes are needed. */
	while (found && !code) {
		found = false;
		for (i = 0; !code && i < all.n; i++) {
			if (all.v[i].is_one || !has_parent(&all, &all.v[i]))
				continue;
			all.v[i].is_one = found = true;
			code = add(ctx, all.v[i].pid);
		}
	}
	free(all.v);
	return code;
}
