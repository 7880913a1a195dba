/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sums the CPU time that the recorded processes use, by process name. The scheduler measures the
 * time, so nothing runs at a context switch. The time of a process is added when the kernel frees
 * the process. The time of processes that still exist is added when user space asks
 * (user/source/bpf/cpu_time.c).
 *
 * The table of processes stores how much of each process's time has already been added. So
 * processes may be read and freed in any order, and read several times. For a process that started
 * after the accounting began, all of its time is counted.
 */
#include "bpf/cpu_time.h"
#include "bpf/kernel.h"
#include "bpf/read.h"
#include "bpf/tree.h"

char LICENSE[] SEC("license") = "GPL";

#define THREADS_OLD 512       /* threads that are summed for a process, before Linux 5.17 */
#define THREADS_MAX (1 << 22) /* the same from 5.17 on: the kernel's own limit */

/* Whether only some processes are recorded: those in recorded_pids. */
const volatile bool some_pids = false;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, CPU_TIME_NAMES);
	__type(key, struct cpu_time_name);
	__type(value, struct cpu_time_sum);
} names SEC(".maps");

struct known {
	u64 start; /* start of the process, as task_struct.start_time */
	u64 ns;    /* time that has been added, or was used before the accounting began */
	u64 task;  /* task_struct of its leader after the leader's exit; 0 before */
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, CPU_TIME_PROCESSES);
	__type(key, u32); /* thread group */
	__type(value, struct known);
} processes SEC(".maps");

struct cpu_time_state state;

static __always_inline bool is_recorded(struct task_struct *task)
{
	return (u32)BPF_CORE_READ(task, tgid) != state.left_out &&
	       (!some_pids || tree__process(task));
}

static __always_inline void add_to(struct cpu_time_sum *sum, u64 ns, u64 n)
{
	__sync_fetch_and_add(&sum->ns, ns);
	/*
	 * If the value is the constant 0, the compiler emits another atomic operation, which
	 * requires Linux 5.12.
	 */
	if (n)
		__sync_fetch_and_add(&sum->processes, n);
}

/* @n: 1 the first time that something is added for the process, later 0. */
static __always_inline void add(struct task_struct *task, u64 ns, u64 n)
{
	struct cpu_time_sum zero = {}, *sum;
	struct cpu_time_name name = {};

	if (!state.on)
		return;
	bpf_probe_read_kernel(name.comm, sizeof(name.comm),
		(void *)((u64)task + bpf_core_field_offset(struct task_struct, comm)));
	sum = bpf_map_lookup_elem(&names, &name);
	if (!sum) {
		bpf_map_update_elem(&names, &name, &zero, BPF_NOEXIST);
		sum = bpf_map_lookup_elem(&names, &name);
	}
	add_to(sum ? sum : &state.other, ns, n);
}

/*
 * Returns the entry of a process. A new one begins with @ns of time used before. Returns
 * NULL if the table is full.
 */
static __always_inline struct known *get_known(u32 pid, u64 start, u64 ns)
{
	struct known *known = bpf_map_lookup_elem(&processes, &pid);
	struct known first = {.start = start, .ns = ns};

	if (known && known->start == start)
		return known;
	if (bpf_map_update_elem(&processes, &pid, &first, BPF_ANY)) {
		__sync_fetch_and_add(&state.missed, 1);
		return NULL;
	}
	return bpf_map_lookup_elem(&processes, &pid);
}

/* ---- Processes that end ---- */

/*
 * The time used so far is added when a process exits, and the rest when it is freed,
 * because a few processes in a thousand are freed without a call of on_free().
 */
static __always_inline void add_exiting(struct task_struct *task, struct known *known)
{
	u64 ns = BPF_CORE_READ(task, signal, sum_sched_runtime) +
		 BPF_CORE_READ(task, se.sum_exec_runtime);

	known->task = (u64)task;
	if (ns < known->ns)
		ns = known->ns;
	add(task, ns - known->ns, 1);
	known->ns = ns;
}

/* Whether another thread of @leader is executing a program and becomes the leader. */
static __always_inline bool is_replaced(struct task_struct *leader)
{
	struct signal_struct___old *old = (void *)BPF_CORE_READ(leader, signal);
	struct task_struct *by;

	if (bpf_core_field_exists(old->group_exit_task))
		by = BPF_CORE_READ(old, group_exit_task);
	else
		by = BPF_CORE_READ(leader, signal, group_exec_task);
	return by && by != leader;
}

/*
 * At this point the process is still in the table of recorded processes. A leader may exit before
 * its other threads, but is freed after them.
 */
SEC("raw_tp/sched_process_exit")
int on_exit(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *task = (void *)ctx->args[0];
	u32 pid = BPF_CORE_READ(task, pid), tgid = BPF_CORE_READ(task, tgid);
	u64 start = BPF_CORE_READ(task, start_time);
	struct known *known;

	if (pid != tgid || !is_recorded(task) || is_replaced(task))
		return 0;
	/* A process that existed before has an entry, unless the table was full. */
	known = start >= state.since ? get_known(pid, start, 0)
				     : bpf_map_lookup_elem(&processes, &pid);
	if (known && known->start == start)
		add_exiting(task, known);
	return 0;
}

/*
 * Adds the time of a process whose threads have all ended. __exit_signal() has summed them. A
 * leader may have run its last instructions after that.
 */
static __always_inline void add_ended(struct task_struct *task, struct known *known)
{
	u64 ns = BPF_CORE_READ(task, signal, sum_sched_runtime);
	u64 own_ns = BPF_CORE_READ(task, se.sum_exec_runtime);

	if (ns < own_ns)
		ns = own_ns;
	if (ns <= known->ns)
		return;
	add(task, ns - known->ns, 0);
	known->ns = ns;
}

SEC("raw_tp/sched_process_free")
int on_free(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *task = (void *)ctx->args[0];
	u32 pid = BPF_CORE_READ(task, pid), tgid = BPF_CORE_READ(task, tgid);
	struct known *known;

	if (pid != tgid)
		return 0;
	known = bpf_map_lookup_elem(&processes, &pid);
	if (!known || known->start != BPF_CORE_READ(task, start_time))
		return 0;
	add_ended(task, known);
	bpf_map_delete_elem(&processes, &pid);
	return 0;
}

/*
 * Counts a process as missed if @task has been freed and its memory reused: the time after its exit
 * is unknown.
 */
static __always_inline void forget_freed(u32 pid, struct task_struct *task)
{
	struct known *known = bpf_map_lookup_elem(&processes, &pid);

	/* on_free() may have run meanwhile. */
	if (!known || known->task != (u64)task)
		return;
	known->task = 0;
	__sync_fetch_and_add(&state.missed, 1);
}

/*
 * The task iterator does not list processes that were reaped. Such a process is freed after an RCU
 * grace period, which can take seconds on a busy machine. As long as a process has an entry in the
 * table, it has not been freed.
 */
SEC("iter/bpf_map_elem")
int look_at_ended(struct bpf_iter__bpf_map_elem *ctx)
{
	u32 *key = ctx->key, pid;
	struct known *known;
	struct task_struct *task;

	if (!key)
		return 0;
	pid = *key;
	known = bpf_map_lookup_elem(&processes, &pid);
	if (!known || !known->task)
		return 0;
	task = (void *)known->task;
	if (BPF_CORE_READ(task, start_time) == known->start && BPF_CORE_READ(task, pid) == (int)pid)
		add_ended(task, known);
	else
		forget_freed(pid, task);
	return 0;
}

/* ---- Processes that exist ---- */

struct walk {
	u64 head; /* head of the list of threads */
	u64 node;
	u64 ns;
};

/* Adds the thread at .node. Returns false at the end of the list. */
static __always_inline bool next_thread(struct walk *walk)
{
	u64 thread;

	if (!walk->node || walk->node == walk->head)
		return false;
	thread = walk->node - bpf_core_field_offset(struct task_struct, thread_node);
	walk->ns += READ_COPY(struct task_struct, thread, se.sum_exec_runtime);
	walk->node = READ_COPY(struct list_head, walk->node, next);
	return true;
}

static __always_inline void begin_walk(struct walk *walk, struct task_struct *task)
{
	u64 signal = READ_COPY(struct task_struct, task, signal);

	/*
	 * The sum is read first: a thread that ends meanwhile is then missed until the next
	 * reading, but never added twice.
	 */
	walk->ns = READ_COPY(struct signal_struct, signal, sum_sched_runtime);
	walk->head = signal + bpf_core_field_offset(struct signal_struct, thread_head);
	walk->node = READ_COPY(struct list_head, walk->head, next);
}

static __always_inline void end_walk(const struct walk *walk, struct task_struct *task)
{
	u64 start = task->start_time;
	struct known *known;

	/* Time used before the accounting began is not counted. */
	known = get_known(task->tgid, start, start < state.since ? walk->ns : 0);
	if (walk->node != walk->head)
		__sync_fetch_and_add(&state.missed, 1);
	if (!known || walk->ns <= known->ns)
		return;
	add(task, walk->ns - known->ns, !known->task);
	known->ns = walk->ns;
}

static __always_inline bool is_asked(struct task_struct *task)
{
	return task && task->pid == task->tgid && is_recorded(task);
}

static long on_thread(u32 i, struct walk *walk)
{
	return !next_thread(walk);
}

/* bpf_loop() exists from 5.17 on (commit e6f2dd0f8067). */
SEC("iter/task")
int look_at_living(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct walk walk;

	if (!is_asked(task))
		return 0;
	begin_walk(&walk, task);
	bpf_loop(THREADS_MAX, on_thread, &walk, 0);
	end_walk(&walk, task);
	return 0;
}

SEC("iter/task")
int look_at_living_old(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct walk walk;
	int i;

	if (!is_asked(task))
		return 0;
	begin_walk(&walk, task);
	for (i = 0; i < THREADS_OLD && next_thread(&walk); i++)
		;
	end_walk(&walk, task);
	return 0;
}
