/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The life of a process: which of its threads are known to live, and so whether it does.
 * One state with four transitions, for the reader's model (model/process.c) and for what a
 * next file begins with (model/alive/process.c): FORK, COMM with exec, EXIT, and a check
 * after a loss. They find the process by its pid, and keep what else they know of it. Pure:
 * no table of processes, no names, no mappings.
 *
 * What the records mean, and in which order they come (kernel/events/core.c, kernel/exit.c,
 * fs/exec.c of Linux); events are applied in the order of time:
 *
 * - A FORK is written before the new thread runs, so it is the first record of its tid. Its pid
 *   is the parent's for a thread (CLONE_THREAD), and else that of a new process, which has a copy
 *   of the parent's mappings; also with CLONE_VM alone, as of vfork(): what parent and child map in
 *   their common memory is recorded of the one that maps it.
 * - A FORK with PERF_RECORD_MISC_FORK_EXEC is written by user space, for what existed before.
 * - An exec may be called by any thread. It ends all others, and takes the leader's tid if it has
 *   another: the COMM has it, and no EXIT has the tid that it had before. EXIT records of the
 *   others come before the COMM.
 * - An EXIT ends one thread. A leader may end before the others, and stays a zombie: the process
 *   lives, in its mappings, until the last of them ends. A process that is killed has an EXIT of
 *   each thread, in any order.
 * - A pid or tid is used again only after its EXIT, and a FORK begins each use.
 *
 * What may be missing, since any of these can be lost:
 *
 * - a FORK: a process is first known by another record. If that is of a thread other than the
 *   leader, the leader may have ended, and no later record would show that: the process ends with
 *   the threads that are known, unless the leader has a record of its own, or the process maps
 *   something, which must be known as long as it may run there.
 * - an exec: threads that it ended remain known until a check.
 * - an EXIT: the thread is known until its tid is seen to be used again, or until a check.
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
	LEADER_EXITED, /* or was proven to have */
};

struct process_life {
	uint32_t pid;
	enum leader_state leader;
	/*
	 * Its FORK or its newest exec; 0: not recorded. An older record is of another process that
	 * had this pid, or of the program before.
	 */
	uint64_t begin_ns;
	uint64_t leader_seen_ns; /* the newest time at which the leader is known to have lived */
	struct threads others;   /* than the leader */
};

/* The result of a transition. */
enum process_fate {
	PROCESS_UNTOUCHED, /* the record is older than the process: nothing has changed */
	PROCESS_LIVES,
	PROCESS_OVER, /* its last thread has ended: to be forgotten */
};

/* What was started by a FORK. */
enum fork_result {
	FORK_THREAD,  /* a thread of the process, which may not be known yet */
	FORK_PROCESS, /* a process: one that is known by this pid ended without a record */
	FORK_KNOWN,   /* nothing: a known process was recorded once more */
};

/*
 * Begins a process that becomes known by a record of thread @tid. For a MAP, which proves
 * less, @tid is @pid.
 */
void process_life__init(struct process_life *life, uint32_t pid, uint32_t tid);
void process_life__free(struct process_life *life);

/* @life is the process with the FORK's pid, or NULL if none is known. Changes nothing. */
enum fork_result process_life__fork_result(
	const struct process_life *life, const struct event *event);
/* Applies a FORK; for FORK_PROCESS, @life is the new process. Returns 0 or -ENOMEM. */
int process_life__fork(struct process_life *life, const struct event *event);
/* Applies a COMM, of an exec or of a new thread name. Returns 0 or -ENOMEM. */
int process_life__comm(struct process_life *life, const struct event *event);
enum process_fate process_life__exit(struct process_life *life, const struct event *event);
/*
 * Applies a check after a loss: all existing threads were recorded again between @since_ns
 * and now, so threads without a record since @since_ns have ended.
 */
enum process_fate process_life__check(struct process_life *life, uint64_t since_ns);

/*
 * Thread @tid, which may be new, was recorded at @time_ns; 0: it existed before. Proves nothing of
 * other threads: when several end together, one may still run when the EXIT of another was
 * lost. Returns 0 or -ENOMEM.
 */
int process_life__see(struct process_life *life, uint32_t tid, uint64_t time_ns);
/*
 * Applies a MAP that is not older than the process: thread @tid lived at @time_ns. It does
 * not add the thread, which may have ended since, because the record may have been delayed.
 */
void process_life__map(struct process_life *life, uint32_t tid, uint64_t time_ns);
/* Whether @tid is known to live; for the leader, whether it is known to have lived. */
bool process_life__has(const struct process_life *life, uint32_t tid);
/* Whether @event, a MAP or EXIT, came late and is older than the process, or its program. */
bool process_life__is_older(const struct process_life *life, const struct event *event);
/* Threads that are known to live. */
size_t process_life__n_threads(const struct process_life *life);

#endif
