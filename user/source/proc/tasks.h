/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threads and executable mappings that exist when recording begins, from /proc:
 * for kernels where no BPF can list them. Slower, and a mapping is read after it was
 * listed, so that one can have gone between. Knows no file format and no model.
 */
#ifndef PERFSTAMP_SOURCE_PROC_TASKS_H
#define PERFSTAMP_SOURCE_PROC_TASKS_H

#include <stddef.h>
#include <sys/types.h>

#include "user/base/error.h"
#include "user/event/event.h"

typedef int proc_task_event_fn(void *ctx, const struct event *event);
/*
 * Reads the identity of what @pid has mapped; .dev_*, .ino are set from
 * /proc/PID/maps. Returns 0 or -errno (the reason is then UNKNOWN, unless it set one).
 */
typedef int proc_task_identity_fn(
	void *ctx, pid_t pid, uint64_t addr, uint64_t len, struct perfstamp_identity *identity);

struct proc_tasks_counts {
	size_t processes;
	size_t threads;
	size_t maps;
	size_t vanished; /* processes and threads that exited or executed while being read */
	size_t denied;   /* processes whose maps may not be read */
};

/*
 * For each process of @pids, or all where @n_pids is 0: FORK and COMM of each
 * thread and MAP of each executable mapping, in this order and with time 0.
 * Events are gone after @fn returns; another value of it than 0 ends all and is
 * returned. Else returns 0, -ENOMEM, or -errno where /proc cannot be read.
 */
int proc_tasks__synthesize(const pid_t *pids, size_t n_pids, proc_task_event_fn *fn,
	proc_task_identity_fn *identity, void *ctx, struct proc_tasks_counts *ret_counts,
	struct error *err);

/*
 * Returns -EOPNOTSUPP if /proc is not mounted, or is that of another pid namespace: its numbers
 * are then those of other processes.
 */
int proc_tasks__check(struct error *err);

/* MAP of each mapping that may be read but not executed, of the same processes. */
int proc_tasks__data_maps(
	const pid_t *pids, size_t n_pids, proc_task_event_fn *fn, void *ctx, struct error *err);

#endif
