/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processes that are alive, for alive.c: their threads by name, their mappings,
 * their namespaces; and what FORK, COMM, EXIT and maps do to them.
 */
#ifndef PERFSTAMP_MODEL_ALIVE_PROCESS_H
#define PERFSTAMP_MODEL_ALIVE_PROCESS_H

#include "user/model/alive/dsos.h"
#include "user/model/alive/alive_fn.h"
#include "user/model/hash.h"

struct namespace_set; /* shared by the threads that forked from one another */

struct alive_thread {
	uint32_t tid;
	uint32_t ptid; /* 0: not known */
	uint32_t check;
	char comm[PERFSTAMP_COMM_MAX]; /* "": not known */
	struct namespace_set *namespaces;
	UT_hash_handle hh; /* not of a leader */
};

struct alive_process {
	uint32_t pid;
	uint32_t ppid;      /* 0: not known */
	uint32_t mnt_ns;    /* of the newest map that has one */
	uint64_t cgroup_id; /* the same */
	uint64_t begin_ns;  /* of its last fork or exec: what is older is of another program */
	bool leader_exited;
	struct alive_thread leader;
	struct alive_thread *threads; /* the others */
	size_t n_unnamed;             /* threads beside these, where they are left out */
	size_t n_unnamed_seen;        /* of these, in the check of this number */
	uint32_t unnamed_check;
	struct maps *maps;
	UT_hash_handle hh;
};

struct alive_processes {
	struct alive_process *by_pid;
	struct dsos dsos;
	uint32_t check; /* what was recorded since the last one began has its number */
	uint64_t check_since_ns;
	bool is_old; /* the event that is being applied is of before that */
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

/* See alive.h. */
int alive_processes__synthesize(
	const struct alive_processes *processes, uint64_t now_ns, alive_fn *fn, void *ctx);
size_t alive_processes__end_unchecked(struct alive_processes *processes);
size_t alive_processes__leave_out_threads(struct alive_processes *processes);
size_t alive_processes__leave_out_namespaces(struct alive_processes *processes);
void alive_processes__count(const struct alive_processes *processes, struct alive_counts *ret);

#endif
