/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processes that are alive, by pid: what fork, exec and exit do to them and
 * to their mappings. Knows no samples and no ledger.
 */
#ifndef PERFSTAMP_MODEL_PROCESS_H
#define PERFSTAMP_MODEL_PROCESS_H

#include "user/model/sighting.h"

struct thread; /* other than the leader */

struct process {
	uint32_t pid;
	char comm[PERFSTAMP_COMM_MAX];
	uint64_t cgroup_id;
	uint32_t mnt_ns;
	uint64_t begin_ns; /* its fork or last exec; 0: not recorded */
	bool leader_exited;
	bool heir; /* its mappings are inherited, and do not count it yet */
	struct thread *threads;
	struct maps *maps;
	UT_hash_handle hh;
};

struct processes {
	struct process *by_pid;
	size_t n_heirs;
	struct sightings *sightings;
};

/* Threads that were seen and have not exited. */
size_t process__n_threads(const struct process *process);
struct process *processes__find(const struct processes *processes, uint32_t pid);
/* Made when it is not known. NULL: no memory. */
struct process *processes__get(struct processes *processes, uint32_t pid);
/*
 * Whether @event, a MAP or EXIT, is older than the process's fork or last exec: it came late
 * and belongs to the process that had this pid, or the program that ran, before.
 */
bool process__is_older(const struct process *process, const struct event *event);
/* FORK, COMM and EXIT at @now_ns. Return 0 or -ENOMEM. */
int processes__fork(struct processes *processes, const struct event *event, uint64_t now_ns);
int processes__comm(struct processes *processes, const struct event *event, uint64_t now_ns);
int processes__exit(struct processes *processes, const struct event *event, uint64_t now_ns);
/*
 * Counts an heir among the processes of what it inherited: it is more than a
 * child on its way from fork to exec. Return 0 or -ENOMEM.
 */
int processes__settle(struct processes *processes, struct process *process);
int processes__settle_all(struct processes *processes);
void processes__free(struct processes *processes);

#endif
