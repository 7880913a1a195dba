/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threads and executable mappings that exist when recording begins, from /proc: for kernels
 * where no BPF can list them. Slower than BPF, and a mapping can be removed after it was
 * listed and before it is read. Does not know file formats or the model.
 */
#ifndef PERFSTAMP_SOURCE_PROC_TASKS_H
#define PERFSTAMP_SOURCE_PROC_TASKS_H

#include <stddef.h>
#include <sys/types.h>

#include "user/base/error.h"
#include "user/event/event.h"

typedef int proc_task_event_fn(void *ctx, const struct event *event);
/*
 * Reads the identity of a file that @pid maps; .dev_* and .ino are set from /proc/PID/maps.
 * Returns 0 or -errno (the reason is then UNKNOWN, unless the function set one).
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
 * Passes to @fn, for each process of @pids, or for all if @n_pids is 0: FORK and COMM of
 * each thread and MAP of each executable mapping, in this order and with time 0. Events are
 * valid until @fn returns. A nonzero result of @fn ends the loop and is returned. Otherwise
 * returns 0, -ENOMEM, or -errno if /proc cannot be read.
 */
int proc_tasks__synthesize(const pid_t *pids, size_t n_pids, proc_task_event_fn *fn,
	proc_task_identity_fn *identity, void *ctx, struct proc_tasks_counts *ret_counts,
	struct error *err);

/*
 * Returns -EOPNOTSUPP if /proc is not mounted, or belongs to another pid namespace, whose
 * pids are those of other processes.
 */
int proc_tasks__check(struct error *err);

/* The same for MAP events of mappings that are readable but not executable. */
int proc_tasks__data_maps(
	const pid_t *pids, size_t n_pids, proc_task_event_fn *fn, void *ctx, struct error *err);

#endif
