/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The life of a process: which of its threads are known to live, and thus whether it lives. The
 * state has four transitions: FORK, COMM with exec, EXIT, and a check after a loss. Both the model
 * of a reader (model/process.c) and the current state of the recorder (model/alive/process.c) use
 * it. They find the process by its pid, and keep its other data. Pure: no table of processes, no
 * names, no mappings.
 *
 * The records and their order (kernel/events/core.c, kernel/exit.c, fs/exec.c of Linux); events are
 * applied in time order:
 *
 * - The kernel writes a FORK before the new thread runs, so it is the first record of its tid. For
 *   a thread (CLONE_THREAD), the pid is that of its process. Otherwise it is that of a new process,
 *   which has a copy of the parent's mappings. This is also so with CLONE_VM alone, as in vfork():
 *   what parent and child map in their common memory is recorded only for the one that maps it.
 * - User space writes a FORK with PERF_RECORD_MISC_FORK_EXEC for a thread that existed before.
 * - Any thread may call exec. This ends all other threads, and their EXIT records come before the
 *   COMM. A thread that is not the leader takes over the leader's tid: the COMM has this tid, and
 *   there is no EXIT for its former tid.
 * - An EXIT ends one thread. A leader that ends before the others remains as a zombie: the process
 *   lives, with its mappings, until its last thread ends. A process that is killed has an EXIT for
 *   each thread, in any order.
 * - A pid or tid is reused only after its EXIT, and each use begins with a FORK.
 *
 * Each of these records can be lost:
 *
 * - Without its FORK, a process becomes known by another record. If that record is for a thread
 *   other than the leader, the leader may have ended already, and no later record would show that.
 *   So the process ends with its known threads, unless the leader has a record of its own or the
 *   process maps something. A mapping has to stay known as long as the process may use it.
 * - Without the COMM of an exec, threads that it ended remain known until a check.
 * - Without its EXIT, a thread remains known until its tid is reused, or until a check.
 */
#ifndef PERFSTAMP_MODEL_TASK_LIFE_H
#define PERFSTAMP_MODEL_TASK_LIFE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/event/event.h"
#include "user/model/task/threads.h"

enum leader_state {
	LEADER_UNKNOWN,
	LEADER_LIVES,
	LEADER_EXITED, /* or is proven to have exited */
};

struct process_life {
	uint32_t pid;
	enum leader_state leader;
	/*
	 * The time of its FORK or of its newest exec; 0: not recorded. Older records belong to
	 * another process with this pid, or to the previous program.
	 */
	uint64_t begin_ns;
	uint64_t leader_seen_ns; /* the newest time at which the leader is known to have lived */
	struct threads others;   /* threads without the leader */
};

/* The result of a transition. */
enum process_fate {
	PROCESS_UNTOUCHED, /* the record is older than the process: nothing changed */
	PROCESS_LIVES,
	PROCESS_OVER, /* its last thread has ended: the caller removes it */
};

/* What a FORK starts. */
enum fork_result {
	FORK_THREAD,  /* a thread of the process, which may not be known yet */
	FORK_PROCESS, /* a process: if this pid is known, its process ended without a record */
	FORK_KNOWN,   /* nothing: the record repeats a known process */
};

/*
 * Initializes a process that becomes known by a record of thread @tid. For a MAP, which proves
 * less, @tid is @pid.
 */
void process_life__init(struct process_life *life, uint32_t pid, uint32_t tid);
void process_life__free(struct process_life *life);

/*
 * Returns what the FORK starts. @life is the process with its pid, or NULL if that is not known.
 * Changes nothing.
 */
enum fork_result process_life__fork_result(
	const struct process_life *life, const struct event *event);
/* Applies a FORK; for FORK_PROCESS, @life is the new process. Returns 0 or -ENOMEM. */
int process_life__fork(struct process_life *life, const struct event *event);
/* Applies a COMM, of an exec or of a new thread name. Returns 0 or -ENOMEM. */
int process_life__comm(struct process_life *life, const struct event *event);
enum process_fate process_life__exit(struct process_life *life, const struct event *event);
/*
 * Applies a check after a loss: all existing threads were recorded again between @since_ns and now.
 * So threads without a record since @since_ns have ended.
 */
enum process_fate process_life__check(struct process_life *life, uint64_t since_ns);

/*
 * Thread @tid, which may be new, was recorded at @time_ns; 0: it existed before. This proves
 * nothing about other threads: if several end together and an EXIT is lost, another thread may
 * still run. Returns 0 or -ENOMEM.
 */
int process_life__see(struct process_life *life, uint32_t tid, uint64_t time_ns);
/*
 * Applies a MAP that is not older than the process: thread @tid lived at @time_ns. Does not add the
 * thread: the record may be delayed, so the thread may have ended.
 */
void process_life__map(struct process_life *life, uint32_t tid, uint64_t time_ns);
/* Whether @tid is known to live; for the leader, whether it is known to have lived. */
bool process_life__has(const struct process_life *life, uint32_t tid);
/* Whether @event, a MAP or EXIT, is older than the process or its current program. */
bool process_life__is_older(const struct process_life *life, const struct event *event);
/* Returns the number of threads that are known to live. */
size_t process_life__n_threads(const struct process_life *life);

#endif
