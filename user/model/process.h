/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The live processes by pid. Applies fork, exec and exit to them (task/life.h) and to their
 * mappings. Knows neither samples nor the ledger.
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
	bool heir; /* its mappings are inherited, and it is not counted for them yet */
	struct maps *maps;
	UT_hash_handle hh;
};

struct processes {
	struct process *by_pid;
	size_t n_heirs;
	struct sightings *sightings;
};

struct process *processes__find(const struct processes *processes, uint32_t pid);
/*
 * Returns process @pid, which is added if a record of thread @tid is the first one. NULL: no
 * memory.
 */
struct process *processes__get(struct processes *processes, uint32_t pid, uint32_t tid);
/* Apply FORK, COMM and EXIT at @now_ns. Return 0 or -ENOMEM. */
int processes__fork(struct processes *processes, const struct event *event, uint64_t now_ns);
int processes__comm(struct processes *processes, const struct event *event, uint64_t now_ns);
int processes__exit(struct processes *processes, const struct event *event, uint64_t now_ns);
/*
 * Applies a check after a loss: ends threads and processes that it proves to have ended.
 * Returns 0 or -ENOMEM.
 */
int processes__check(struct processes *processes, uint64_t since_ns, uint64_t now_ns);
/*
 * Counts a child for its inherited mappings, because it did more than call exec. Returns 0 or
 * -ENOMEM.
 */
int processes__settle(struct processes *processes, struct process *process);
int processes__settle_all(struct processes *processes);
void processes__free(struct processes *processes);

#endif
