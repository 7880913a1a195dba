/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The existing processes, a part of alive.c: their threads (task/life.h) with names and namespaces,
 * and their mappings. Applies FORK, COMM, EXIT and maps to them.
 */
#ifndef PERFSTAMP_MODEL_ALIVE_PROCESS_H
#define PERFSTAMP_MODEL_ALIVE_PROCESS_H

#include "user/model/alive/dsos.h"
#include "user/model/alive/alive_fn.h"
#include "user/base/hash.h"
#include "user/model/task/life.h"

/* One set of namespaces. A thread shares it with the threads that it forks. */
struct namespace_set {
	size_t refs;
	size_t n;
	struct perf_ns_link_info links[];
};

/* Data about a thread. Whether it lives is kept in process_life. */
struct alive_thread {
	uint32_t tid;
	uint32_t ptid;                 /* 0: not known */
	char comm[PERFSTAMP_COMM_MAX]; /* "": not known */
	struct namespace_set *namespaces;
	UT_hash_handle hh; /* unused for a leader */
};

struct alive_process {
	struct process_life life;
	uint32_t ppid;      /* 0: not known */
	uint32_t mnt_ns;    /* from the newest map record with a namespace */
	uint64_t cgroup_id; /* from the newest map record with a cgroup */
	struct alive_thread leader;
	/* One for each thread of .life.others, unless threads are omitted. */
	struct alive_thread *threads;
	struct maps *maps;
	UT_hash_handle hh;
};

struct alive_processes {
	struct alive_process *by_pid;
	struct dsos dsos;
	bool no_threads;
	bool no_namespaces;
};

void alive_processes__init(struct alive_processes *processes);
void alive_processes__free(struct alive_processes *processes);

/* Return 0 or -ENOMEM. */
int alive_processes__map(struct alive_processes *processes, const struct event *event);
int alive_processes__comm(struct alive_processes *processes, const struct event *event);
int alive_processes__fork(struct alive_processes *processes, const struct event *event);
int alive_processes__namespaces(struct alive_processes *processes, const struct event *event);
void alive_processes__exit(struct alive_processes *processes, const struct event *event);
void alive_processes__check(struct alive_processes *processes, uint64_t since_ns);

/* In synthesis.c. See alive.h for these and the following functions. */
int alive_processes__synthesize(
	const struct alive_processes *processes, uint64_t now_ns, alive_fn *fn, void *ctx);
size_t alive_processes__leave_out_threads(struct alive_processes *processes);
size_t alive_processes__leave_out_namespaces(struct alive_processes *processes);
void alive_processes__count(const struct alive_processes *processes, struct alive_counts *ret);

#endif
