// SPDX-License-Identifier: GPL-2.0-only
/* See namespaces.h, and perf_event__synthesize_namespaces() of perf. */
#include "user/source/containers/namespaces.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* In the order of a record: NET_NS_INDEX and those after it in linux/perf_event.h. */
static const char *const NAMES[NR_NAMESPACES] = {
	[NET_NS_INDEX] = "net",
	[UTS_NS_INDEX] = "uts",
	[IPC_NS_INDEX] = "ipc",
	[PID_NS_INDEX] = "pid",
	[USER_NS_INDEX] = "user",
	[MNT_NS_INDEX] = "mnt",
	[CGROUP_NS_INDEX] = "cgroup",
};

struct synthesis {
	int (*fn)(void *ctx, const struct event *event);
	void *ctx;
};

static int synthesize_thread(const struct synthesis *s, pid_t pid, pid_t tid)
{
	struct perf_ns_link_info links[NR_NAMESPACES] = {};
	struct event event = {
		.kind = EVENT_NAMESPACES,
		.type = PERF_RECORD_NAMESPACES,
		.misc = PERF_RECORD_MISC_USER,
		.pid = pid,
		.tid = tid,
		.cpu = UINT32_MAX,
		.namespaces = {.n = NR_NAMESPACES, .links = links},
	};
	size_t n = 0;

	for (size_t i = 0; i < NR_NAMESPACES; i++) {
		char path[96];
		struct stat st;

		snprintf(path, sizeof(path), "/proc/%d/task/%d/ns/%s", pid, tid, NAMES[i]);
		if (stat(path, &st))
			continue;
		links[i].dev = st.st_dev;
		links[i].ino = st.st_ino;
		n++;
	}
	return n ? s->fn(s->ctx, &event) : 0;
}

/* Calls @synthesize for each entry of @path that is a number. */
static int for_each_number(const char *path,
	int (*synthesize)(const struct synthesis *s, pid_t pid, pid_t number),
	const struct synthesis *s, pid_t pid)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	int r = 0;

	if (!dir)
		return -errno;
	while (!r && (entry = readdir(dir))) {
		pid_t number = atoi(entry->d_name);

		if (number > 0)
			r = synthesize(s, pid, number);
	}
	closedir(dir);
	return r;
}

static int synthesize_process(const struct synthesis *s, pid_t ignored, pid_t pid)
{
	char path[64];
	int r;

	(void)ignored;
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	r = for_each_number(path, synthesize_thread, s, pid);
	return r == -ENOENT || r == -ESRCH ? 0 : r;
}

int namespaces__synthesize(const pid_t *pids, size_t n_pids,
	int (*fn)(void *ctx, const struct event *event), void *ctx, struct error *err)
{
	const struct synthesis s = {.fn = fn, .ctx = ctx};
	int r = 0;

	if (!n_pids) {
		r = for_each_number("/proc", synthesize_process, &s, 0);
		if (r == -ENOENT || r == -EACCES)
			error__errno(err, r, "/proc");
	}
	for (size_t i = 0; !r && i < n_pids; i++)
		r = synthesize_process(&s, 0, pids[i]);
	return r;
}
