// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads and mappings from /proc, in the order of perf's own synthesis
 * (__event__synthesize_thread in tools/perf/util/synthetic-events.c).
 */
#include "user/source/proc/tasks.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "user/parse/maps.h"
#include "user/source/proc/file.h"
#include "user/source/proc/stat.h"

struct synthesis {
	proc_task_event_fn *fn;
	proc_task_identity_fn *identity;
	void *ctx;
	bool data;             /* no threads, but mappings of data */
	struct task_stat main; /* of the process, as its snapshot begins */
	struct proc_tasks_counts counts;
	struct map_line line; /* 4 KiB: not on the stack */
};

static struct event make_event(enum event_kind kind, uint32_t type, pid_t pid, pid_t tid)
{
	return (struct event){
		.kind = kind,
		.type = type,
		.misc = PERF_RECORD_MISC_USER,
		.pid = pid,
		.tid = tid,
		.cpu = UINT32_MAX,
	};
}

/* Errors that mean that the thread or its process has ended. */
static bool is_gone(int r)
{
	return r == -ENOENT || r == -ESRCH;
}

static int synthesize_thread(struct synthesis *s, pid_t pid, pid_t tid)
{
	struct event event;
	struct task_stat stat;
	int r;

	r = proc_stat__read(&stat, pid, tid);
	if (r) {
		s->counts.vanished++;
		return r == -ENOMEM ? r : 0;
	}
	if (tid == pid)
		s->main = stat;
	/* The kernel has reported its EXIT, and no later record would end it. */
	if (stat.state == 'Z' || stat.state == 'X')
		return 0;
	event = make_event(EVENT_FORK, PERF_RECORD_FORK, pid, tid);
	/* As perf does for an existing thread, which inherits nothing. */
	event.misc = PERF_RECORD_MISC_FORK_EXEC;
	/*
	 * As in perf, a thread's parent is its process, and a process's parent is the main
	 * thread of its parent process.
	 */
	event.fork.ppid = tid == pid ? stat.ppid : (uint32_t)pid;
	event.fork.ptid = event.fork.ppid;
	r = s->fn(s->ctx, &event);
	if (r)
		return r;
	/* TASK_COMM_LEN; only here the kernel shows longer names for its workers. */
	stat.comm[PERFSTAMP_COMM_MAX - 1] = '\0';
	event = make_event(EVENT_COMM, PERF_RECORD_COMM, pid, tid);
	event.comm.comm = stat.comm;
	s->counts.threads++;
	return s->fn(s->ctx, &event);
}

static int synthesize_map(struct synthesis *s, pid_t pid)
{
	const struct map_line *line = &s->line;
	struct event event = make_event(EVENT_MAP, PERF_RECORD_MMAP2, pid, pid);
	struct perfstamp_identity *identity = &event.map.identity;

	event.map.addr = line->start;
	event.map.len = line->end - line->start;
	event.map.pgoff = line->pgoff;
	event.map.prot = line->prot;
	event.map.map_flags = line->map_flags;
	event.map.flags = PERFSTAMP_MAP_SNAPSHOT | (line->deleted ? PERFSTAMP_MAP_DELETED : 0) |
			  (line->path_cut ? PERFSTAMP_MAP_PATH_CUT : 0);
	event.map.executable = !s->data;
	event.map.stamped = true;
	/* perf's word for memory without a file. */
	event.map.path = *line->path ? line->path : "//anon";
	identity->dev_major = line->dev_major;
	identity->dev_minor = line->dev_minor;
	identity->ino = line->ino;
	identity->reason = line->ino ? PERFSTAMP_REASON_UNKNOWN : PERFSTAMP_REASON_ANONYMOUS;
	/* The vDSO has no inode but a build-id, so the function that reads identities decides. */
	if (s->identity && (line->ino || *line->path == '['))
		s->identity(s->ctx, pid, line->start, event.map.len, identity);
	s->counts.maps++;
	return s->fn(s->ctx, &event);
}

static bool is_wanted(const struct synthesis *s)
{
	if (s->data)
		return s->line.prot & PROT_READ && !(s->line.prot & PROT_EXEC);
	return s->line.prot & PROT_EXEC;
}

/*
 * Whether the process has executed another program since its snapshot began. It is then
 * unknown whose mappings were read. All mappings of the new program were observed.
 */
static bool has_executed(const struct synthesis *s, pid_t pid)
{
	struct task_stat now;

	return proc_stat__read(&now, pid, pid) || now.start_ticks != s->main.start_ticks ||
	       now.start_code != s->main.start_code || now.start_stack != s->main.start_stack;
}

static int synthesize_maps(struct synthesis *s, pid_t pid)
{
	const char *cursor, *end;
	size_t size;
	char *text;
	int r;

	r = proc_file__read(&text, &size, "/proc/%d/maps", proc_stat__living_thread(pid));
	if (is_gone(r)) {
		s->counts.vanished++;
		return 0;
	}
	if (r == -EACCES || r == -EPERM) {
		s->counts.denied++;
		return 0;
	}
	if (r)
		return r == -ENOMEM ? r : 0;
	if (!s->data && has_executed(s, pid)) {
		s->counts.vanished++;
		free(text);
		return 0;
	}
	cursor = text;
	end = text + size;
	while ((r = map_line__next(&cursor, end, &s->line))) {
		if (r < 0 || !is_wanted(s))
			continue;
		r = synthesize_map(s, pid);
		if (r)
			break;
	}
	free(text);
	return r;
}

static int synthesize_process(struct synthesis *s, pid_t pid)
{
	struct dirent *entry;
	char path[64];
	DIR *dir;
	int r;

	if (s->data)
		return synthesize_maps(s, pid);
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	if (!dir) {
		s->counts.vanished++;
		return 0;
	}
	s->counts.processes++;
	/* The main thread first: the others are its children. */
	memset(&s->main, 0, sizeof(s->main));
	r = synthesize_thread(s, pid, pid);
	while (!r && (entry = readdir(dir))) {
		pid_t tid = atoi(entry->d_name);

		if (tid > 0 && tid != pid)
			r = synthesize_thread(s, pid, tid);
	}
	closedir(dir);
	return r ? r : synthesize_maps(s, pid);
}

static int synthesize_all(struct synthesis *s, struct error *err)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	int r = 0;

	if (!dir) {
		r = -errno;
		return error__errno(err, r, "/proc");
	}
	while (!r && (entry = readdir(dir))) {
		pid_t pid = atoi(entry->d_name);

		if (pid > 0)
			r = synthesize_process(s, pid);
	}
	closedir(dir);
	return r;
}

static int synthesize(struct synthesis *s, const pid_t *pids, size_t n_pids, struct error *err)
{
	int r = 0;

	if (!n_pids)
		r = synthesize_all(s, err);
	for (size_t i = 0; !r && i < n_pids; i++)
		r = synthesize_process(s, pids[i]);
	if (r == -ENOMEM)
		error__errno(err, r, "snapshot from /proc");
	return r;
}

int proc_tasks__synthesize(const pid_t *pids, size_t n_pids, proc_task_event_fn *fn,
	proc_task_identity_fn *identity, void *ctx, struct proc_tasks_counts *ret_counts,
	struct error *err)
{
	struct synthesis s = {.fn = fn, .identity = identity, .ctx = ctx};
	int r = synthesize(&s, pids, n_pids, err);

	*ret_counts = s.counts;
	return r;
}

int proc_tasks__data_maps(
	const pid_t *pids, size_t n_pids, proc_task_event_fn *fn, void *ctx, struct error *err)
{
	struct synthesis s = {.fn = fn, .ctx = ctx, .data = true};

	return synthesize(&s, pids, n_pids, err);
}

int proc_tasks__check(struct error *err)
{
	char pid[32];
	ssize_t n = readlink("/proc/self", pid, sizeof(pid) - 1);

	pid[n < 0 ? 0 : n] = '\0';
	if (atoi(pid) == getpid())
		return 0;
	if (n < 0 && access("/proc/mounts", F_OK) && access("/proc/version", F_OK))
		return error__set(err, -EOPNOTSUPP,
			"/proc is not mounted, from which processes are read: mount -t proc proc "
			"/proc");
	return error__set(err, -EOPNOTSUPP,
		"/proc belongs to another pid namespace, which has other pids: mount "
		"the one of this namespace (unshare --mount-proc), or record in that namespace");
}
