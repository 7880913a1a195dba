/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processes that are alive, by pid: what fork, exec and exit do to them (task/life.h)
 * and to their mappings. Does not know any samples or ledger.
 */
#ifndef PERFSTAMP_MODEL_PROCESS_H
#define PERFSTAMP_MODEL_PROCESS_H

#include "user/model/sighting.h"
#include "user/model/task/life.h"

struct process {
	struct process_life life;
	char comm[PERFSTAMP_COMM_MAX];
	uint64_t cgroup_id;
	uint32_t mnt_ns;
	bool heir; /* its mappings are inherited, and do not count it yet */
	struct maps *maps;
	UT_hash_handle hh;
};

struct processes {
	struct process *by_pid;
	size_t n_heirs;
	struct sightings *sightings;
};

struct process *processes__find(const struct processes *processes, uint32_t pid);
/* Made when it is not known, by a record of thread @tid. NULL: no memory. */
struct process *processes__get(struct processes *processes, uint32_t pid, uint32_t tid);
/* FORK, COMM and EXIT at @now_ns. Return 0 or -ENOMEM. */
int processes__fork(struct processes *processes, const struct event *event, uint64_t now_ns);
int processes__comm(struct processes *processes, const struct event *event, uint64_t now_ns);
int processes__exit(struct processes *processes, const struct event *event, uint64_t now_ns);
/*
 * Applies a check after a loss: ends threads and processes that it proves to have ended.
 * Returns 0 or -ENOMEM.
 */
int processes__check(struct processes *processes, uint64_t since_ns, uint64_t now_ns);
/*
 * Counts a child among the processes that mapped its inherited mappings, because it did
 * more than exec. Return 0 or -ENOMEM.
 */
int processes__settle(struct processes *processes, struct process *process);
int processes__settle_all(struct processes *processes);
void processes__free(struct processes *processes);

#endif
