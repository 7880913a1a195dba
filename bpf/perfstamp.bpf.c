/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The programs that observe mappings. User space (user/source/bpf/bpf.c) chooses a rung,
 * and loads its programs and those of the snapshot. Each program finds the mapping and
 * passes it to bpf/map.h.
 */
#include "bpf/arch.h"
#include "bpf/emit.h"
#include "bpf/map.h"
#include "bpf/memory.h"
#include "bpf/tree.h"

char LICENSE[] SEC("license") = "GPL";

/* Whether only some processes are recorded: those in recorded_pids, which bpf/tree.bpf.c keeps. */
const volatile bool some_pids = false;

static __always_inline bool is_recorded(struct task_struct *task)
{
	return !some_pids || tree__process(task);
}

static __always_inline bool is_current_recorded(void)
{
	return is_recorded((void *)bpf_get_current_task());
}

static __always_inline u32 current_pid(void)
{
	return bpf_get_current_pid_tgid() >> 32;
}

/*
 * Also emits the record in the slot for the process that owns the memory, if another process made
 * the mapping. Processes that clone() created with CLONE_VM share memory, so each of them can run
 * code that another one has mapped. The owner may be in another cgroup and mount namespace. Nothing
 * is recorded for a third process.
 */
__noinline int emit_for_owner(u32 slot)
{
	struct scratch *s = scratch__get(slot);
	u32 pid, tid, owner_pid, mnt_ns;
	u64 mm, owner, cgroup_id;
	struct task_struct *task;

	if (!s || !bpf_core_field_exists(struct mm_struct, owner))
		return 0;
	mm = READ(struct vm_area_struct, s->vma, vm_mm);
	owner = READ(struct mm_struct, mm, owner);
	if (!owner)
		return 0;
	pid = s->map.record.pid;
	owner_pid = READ(struct task_struct, owner, tgid);
	if (!owner_pid || owner_pid == pid || !is_recorded((void *)owner))
		return 0;
	tid = s->map.record.tid;
	cgroup_id = s->map.identity.cgroup_id;
	mnt_ns = s->map.identity.mnt_ns;
	task = (void *)owner;
	s->map.record.pid = s->map.record.tid = owner_pid;
	s->map.identity.cgroup_id = BPF_CORE_READ(task, cgroups, dfl_cgrp, kn, id);
	s->map.identity.mnt_ns = map__mnt_ns(owner);
	emit__ring(slot);
	s->map.record.pid = pid;
	s->map.record.tid = tid;
	s->map.identity.cgroup_id = cgroup_id;
	s->map.identity.mnt_ns = mnt_ns;
	return 0;
}

static __always_inline void on_map(u32 slot, void *vma)
{
	if (!map__make(slot, (void *)bpf_get_current_task(), vma, 0))
		return;
	emit_for_owner(slot);
	emit__ring(slot);
}

/*
 * If content is not in memory, on_cold() continues instead of the hook. It exists only on kernels
 * that let a program wait for a disk (bpf/faulting.bpf.c).
 */
const volatile bool reads_cold = false;

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u32);
} on_cold_map SEC(".maps");

static __always_inline int on_map_or_cold(void *ctx, void *vma)
{
	struct scratch *s = scratch__get(SLOT_HOOK);

	if (!s || !map__make(SLOT_HOOK, (void *)bpf_get_current_task(), vma, 0))
		return 0;
	emit_for_owner(SLOT_HOOK);
	if (reads_cold && s->map.identity.reason == PERFSTAMP_REASON_NOT_RESIDENT)
		bpf_tail_call(ctx, &on_cold_map, 0);
	emit__ring(SLOT_HOOK);
	return 0;
}

/* ---- Rungs on perf_event_mmap(): exec, mmap, dlopen, mprotect to exec ---- */

SEC("kprobe.multi/perf_event_mmap")
int BPF_KPROBE(kprobe_multi_mmap, void *vma)
{
	return is_current_recorded() ? on_map_or_cold(ctx, vma) : 0;
}

SEC("kprobe/perf_event_mmap")
int BPF_KPROBE(kprobe_mmap, void *vma)
{
	return is_current_recorded() ? on_map_or_cold(ctx, vma) : 0;
}

/*
 * ---- Rung for kernels on which perf_event_mmap() cannot be probed, because its file is compiled
 * without ftrace (5.10): functions that are called next to it ----
 */

static __always_inline int on_map_if(struct vm_area_struct *vma, bool with_file)
{
	if (!is_current_recorded() || !READ(struct vm_area_struct, vma, vm_file) == with_file)
		return 0;
	on_map(SLOT_HOOK, vma);
	return 0;
}

/*
 * Called by mmap_region() for files. It also runs when a mapping is split, which is then reported
 * again.
 */
SEC("kprobe/uprobe_mmap")
int BPF_KPROBE(uprobe_mmap, void *vma)
{
	return on_map_if(vma, true);
}

/*
 * Called by mprotect_fixup() when the flags change. From 5.19 on (commit 4a18419f71cd), a struct
 * mmu_gather precedes the argument with the mapping. The pointer to the process's memory shows
 * which of the two arguments is the mapping.
 */
SEC("kprobe/change_protection")
int BPF_KPROBE(change_protection, void *first, void *second)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	u64 mm = READ(struct task_struct, task, mm);
	bool is_vma = READ(struct vm_area_struct, first, vm_mm) == mm;

	return on_map_if(is_vma ? first : second, true);
}

/* Called by mmap_region() and mprotect_fixup() for memory without a file. */
SEC("kprobe/vma_set_page_prot")
int BPF_KPROBE(vma_set_page_prot, void *vma)
{
	return on_map_if(vma, false);
}

/* Maps the vDSO. Returns the mapping, or an error as a pointer. */
SEC("kretprobe/_install_special_mapping")
int BPF_KRETPROBE(install_special_mapping, void *vma)
{
	return (u64)vma > -4096ul ? 0 : on_map_if(vma, false);
}

/*
 * Records mappings that mremap() moves. The kernel neither calls perf_event_mmap() for them nor
 * reports them in another way. Used on all rungs with kprobes.
 */
SEC("kretprobe/copy_vma")
int BPF_KRETPROBE(moved_map, void *vma)
{
	if (vma && is_current_recorded())
		on_map(SLOT_HOOK, vma);
	return 0;
}

SEC("fentry/perf_event_mmap")
int BPF_PROG(fentry_mmap, void *vma)
{
	if (is_current_recorded())
		on_map(SLOT_HOOK, vma);
	return 0;
}

/* ---- Rung without kprobes: look up the mapping when its system call returns ---- */

#ifdef ARCH_HAS_SYSCALLS
#define READ_IMPLIES_EXEC 0x0400000 /* include/uapi/linux/personality.h */
#define MREMAP_FIXED 2              /* include/uapi/linux/mman.h */
#define IPC_SHMAT 21                /* include/uapi/linux/ipc.h */
#define SHM_EXEC 0100000            /* include/uapi/linux/shm.h */

#define VMAS_MAX 32   /* mappings, and gaps of mremap(), that one call may change */
#define STEPS_MAX 512 /* mappings and gaps of a program at its exec */

/*
 * The result is stored in memory, because the verifier would follow each value on the stack
 * as a separate path.
 */
static __always_inline long on_found(u32 slot, void *vma)
{
	struct scratch *s = scratch__get(slot);

	if (!s)
		return 0;
	s->range_pos = READ(struct vm_area_struct, vma, vm_end);
	s->task = bpf_get_current_task();
	s->vma = (u64)vma;
	if (!map__build(slot, s, 0)) {
		s->range_data = 1;
		return 0;
	}
	emit_for_owner(slot);
	emit__ring(slot);
	return 0;
}

static long on_found_in_hook(struct task_struct *task, struct vm_area_struct *vma, void *data)
{
	return on_found(SLOT_HOOK, vma);
}

static long on_found_at_exec(struct task_struct *task, struct vm_area_struct *vma, void *data)
{
	return on_found(SLOT_EXEC, vma);
}

/* Counts mappings that could not be looked up, and asks user space to read the process. */
static __always_inline void on_lookup_failed(u32 counter)
{
	counter__add(counter);
	emit__missed(current_pid());
}

/*
 * Emits the mapping at range_pos, and moves range_pos behind it. Returns nonzero if there
 * is no mapping. A global function with its state in memory, since the verifier would
 * otherwise check the callback, and each value of a register, again in each iteration.
 */
__noinline int emit_next(void)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct scratch *s = scratch__get(SLOT_HOOK);

	if (!s)
		return -1;
	s->range_failed = bpf_find_vma(task, s->range_pos, on_found_in_hook, NULL, 0);
	return s->range_failed;
}

/*
 * Emits the executable mappings from @addr to @end. The whole range was mapped, so a gap is a loss:
 * another thread has changed the mappings. With @all_code, a mapping that is not executable is a
 * loss as well. With @partial, the call failed, and a gap is where it may have done so. Inlined,
 * because the verifier limits the number of frames.
 */
static __always_inline int emit_range(u64 addr, u64 end, bool all_code, bool partial)
{
	struct scratch *s = scratch__get(SLOT_HOOK);
	int i;

	if (!s)
		return 0;
	s->range_pos = addr;
	s->range_end = end;
	s->range_failed = s->range_data = 0;
	s->range_all_code = all_code;
	s->range_partial = partial;
	for (i = 0; i < VMAS_MAX && s->range_pos < s->range_end; i++)
		if (emit_next())
			break;
	if (s->range_failed == -16 /* EBUSY */)
		on_lookup_failed(COUNTER_VMA_BUSY);
	else if (s->range_failed && s->range_partial)
		return 0;
	else if (s->range_pos < s->range_end || (s->range_all_code && s->range_data))
		on_lookup_failed(COUNTER_VMA_GONE);
	return 0;
}

/*
 * Moves range_pos behind a gap, or behind a mapping that emit_next() could not look up because the
 * mmap lock is taken. mremap() hardly ever moves code, and its arguments do not show whether it
 * does. So a lookup without the lock decides whether an executable mapping was lost. Before 6.1,
 * such a lookup would walk over all mappings. There, the range ends here, because mremap() moves
 * only one mapping.
 */
__noinline int skip_unfound(void)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct scratch *s = scratch__get(SLOT_HOOK);
	u64 pos;

	if (!s)
		return 0;
	pos = s->range_pos;
	s->range_pos = s->range_end;
	if (!bpf_core_field_exists(struct mm_struct, mm_mt))
		return 0;
	memory__begin(s, READ(struct task_struct, task, mm));
	s->walk.next = pos;
	memory__step(SLOT_HOOK);
	if (s->walk.vma && READ(struct vm_area_struct, s->walk.vma, vm_flags) & VM_EXEC)
		on_lookup_failed(COUNTER_VMA_BUSY);
	else if (!s->walk.ended)
		s->range_pos = s->walk.next;
	return 0;
}

/*
 * Emits what mremap() has moved to @addr. From Linux 6.17 on, one call moves several mappings, with
 * the gaps between them, and may fail after some of them.
 */
static __always_inline int emit_moved(u64 addr, u64 len)
{
	struct scratch *s = scratch__get(SLOT_HOOK);
	int i;

	if (!s || !is_current_recorded())
		return 0;
	s->range_pos = addr;
	s->range_end = addr + len;
	for (i = 0; i < VMAS_MAX && s->range_pos < s->range_end; i++)
		if (emit_next())
			skip_unfound();
	if (s->range_pos < s->range_end)
		on_lookup_failed(COUNTER_VMA_GONE);
	return 0;
}

#define DIRECT(object, field) ((object)->field)

SEC("tp_btf/sys_exit")
int BPF_PROG(sys_exit, void *regs_addr, long ret)
{
	/*
	 * The registers are read through a typed pointer, without a helper, because this runs at
	 * every system call of the machine.
	 */
	const struct pt_regs___kernel *regs = regs_addr;
	struct task_struct *task;
	u64 addr, len, prot;
	bool compat, all_code, failed;
	long nr;
	u32 at;

	failed = ret < 0 && ret > -4096;
	task = (void *)bpf_get_current_task_btf();
	compat = ARCH_SYSCALL(task, regs, DIRECT, &nr);
	if (!compat) {
		if (nr == SYS_64_mremap)
			goto moved;
		if (nr != SYS_64_mmap && nr != SYS_64_mprotect && nr != SYS_64_pkey_mprotect &&
			nr != SYS_64_shmat && nr != SYS_64_remap_file_pages)
			return 0;
		addr = ARCH_ARG_0(regs, DIRECT, false);
		len = ARCH_ARG_1(regs, DIRECT, false);
		prot = ARCH_ARG_2(regs, DIRECT, false);
		all_code = prot & PROT_EXEC;
	} else {
		if (nr == SYS_32_mremap)
			goto moved;
		if (nr != SYS_32_mmap2 && nr != SYS_32_mprotect && nr != SYS_32_pkey_mprotect &&
			nr != SYS_32_mmap && nr != SYS_32_shmat && nr != SYS_32_remap_file_pages &&
			nr != SYS_32_ipc)
			return 0;
		addr = ARCH_ARG_0(regs, DIRECT, true);
		len = ARCH_ARG_1(regs, DIRECT, true);
		prot = ARCH_ARG_2(regs, DIRECT, true);
		all_code = prot & PROT_EXEC;
		/* The arguments of the old mmap are in memory; shmat has no length. */
		if (nr == SYS_32_mmap || nr == SYS_32_shmat) {
			prot = PROT_EXEC;
			len = 1;
			all_code = false;
		}
		/* Older libcs call shmat() through it. */
		if (nr == SYS_32_ipc) {
			if ((addr & 0xffff) != IPC_SHMAT || (failed && ret != -14 /* EFAULT */))
				return 0;
			prot = prot & SHM_EXEC ? PROT_EXEC : 0;
			all_code = prot;
		} else if (nr == SYS_32_remap_file_pages) {
			nr = SYS_64_remap_file_pages;
		} else {
			nr = nr == SYS_32_mprotect || nr == SYS_32_pkey_mprotect ? SYS_64_mprotect
										 : SYS_64_mmap;
		}
	}
	if (nr == SYS_64_shmat) {
		prot = PROT_EXEC;
		len = 1;
		all_code = false;
		nr = SYS_64_mmap;
	} else if (nr == SYS_64_remap_file_pages) {
		prot = PROT_EXEC;
		all_code = false;
	}
	/* A call that changes several mappings may fail after some of them. */
	if (failed && nr != SYS_64_mprotect && nr != SYS_64_pkey_mprotect && nr != SYS_32_ipc)
		return 0;
	if (!(prot & PROT_EXEC) && !(task->personality & READ_IMPLIES_EXEC))
		return 0;
	if (!is_current_recorded())
		return 0;
	if (nr == SYS_64_mmap) {
		addr = ret;
		len = 1;
	} else if (nr == SYS_32_ipc) {
		/* If the kernel cannot store the address there, the memory stays attached. */
		if (failed || bpf_probe_read_user(
				      &at, sizeof(at), (void *)ARCH_ARG_3(regs, DIRECT, compat))) {
			on_lookup_failed(COUNTER_VMA_GONE);
			return 0;
		}
		addr = at;
		len = 1;
	}
	addr = arch__user_address(addr, compat);
	return emit_range(addr, addr + len, all_code && !failed, failed);
moved:
	addr = ret;
	if (failed) {
		if (!(ARCH_ARG_3(regs, DIRECT, compat) & MREMAP_FIXED))
			return 0;
		addr = ARCH_ARG_4(regs, DIRECT, compat);
	}
	return emit_moved(arch__user_address(addr, compat), ARCH_ARG_2(regs, DIRECT, compat));
}

/*
 * One step of the walk at an exec: emits the mapping if it is executable. Returns 1 at the
 * end of the walk.
 */
static long exec_step(u32 i, void *data)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct scratch *s = scratch__get(SLOT_EXEC);
	u64 flags, begin;

	if (!s)
		return 1;
	memory__step(SLOT_EXEC);
	if (s->walk.vma) {
		flags = READ(struct vm_area_struct, s->walk.vma, vm_flags);
		begin = READ(struct vm_area_struct, s->walk.vma, vm_start);
		/*
		 * The mapping is looked up again under the lock, and emitted only if it is the one
		 * that the walk found.
		 */
		if (flags & VM_EXEC && !bpf_find_vma(task, begin, on_found_at_exec, NULL, 0) &&
			!(flags & VM_WRITE))
			s->walk.pages += (s->range_pos - begin) >> PAGE_SHIFT;
	}
	return s->walk.ended != 0;
}

/*
 * exec maps the program, its interpreter and the vDSO without separate system calls. At the
 * tracepoint all of them exist, and only the task itself can change them. The kernel counts
 * the pages that are executable and not writable: if the walk finds fewer, something was
 * missed.
 */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(exec_maps)
{
	struct task_struct *task = (void *)bpf_get_current_task_btf();
	struct scratch *s = scratch__get(SLOT_EXEC);
	u64 mm;

	if (!s || !is_current_recorded())
		return 0;
	mm = READ(struct task_struct, task, mm);
	memory__begin(s, mm);
	/*
	 * The verifier checks this callback once, but would check a loop once for each iteration.
	 */
	bpf_loop(STEPS_MAX, exec_step, NULL, 0);
	if (!s->walk.ended || s->walk.pages < READ(struct mm_struct, mm, exec_vm))
		on_lookup_failed(COUNTER_VMA_GONE);
	return 0;
}
#endif

/* ---- Snapshot ---- */

SEC("iter/task_vma")
int snapshot_maps(struct bpf_iter__task_vma *ctx)
{
	struct task_struct *task = ctx->task;
	struct vm_area_struct *vma = ctx->vma;

	if (!task || !vma || !is_recorded(task))
		return 0;
	if (!map__make(SLOT_SNAPSHOT, task, vma, PERFSTAMP_MAP_SNAPSHOT))
		return 0;
	/*
	 * The iterator continues in the memory with which it began, even if the task has executed
	 * another program or has ended. So the task's memory is compared after the record has its
	 * time: the record of such an exec is then later than this one, and replaces it. Nothing is
	 * recorded for a task that is ending; see snapshot_threads().
	 */
	if (!(task->flags & PF_EXITING) &&
		READ(struct task_struct, task, mm) == READ(struct vm_area_struct, vma, vm_mm))
		emit__seq(SLOT_SNAPSHOT, ctx->meta->seq);
	return 0;
}

SEC("iter/task")
int snapshot_threads(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct perfstamp_thread thread = {};

	if (!task || !is_recorded(task))
		return 0;
	/* The time is read first, so that a task that ends later has an EXIT with a later time. */
	thread.record.time_ns = bpf_ktime_get_ns();
	/*
	 * The kernel may already have reported the EXIT of this task, and no later record would end
	 * it. From Linux 6.16 on, this applies even while the task still has its mm.
	 */
	if (task->flags & PF_EXITING)
		return 0;
	thread.record.type = PERFSTAMP_RECORD_THREAD;
	thread.record.size = sizeof(thread);
	thread.record.pid = task->tgid;
	thread.record.tid = task->pid;
	thread.ppid = BPF_CORE_READ(task, real_parent, tgid);
	thread.ptid = BPF_CORE_READ(task, real_parent, pid);
	thread.start_ns = task->start_time;
	bpf_probe_read_kernel(thread.comm, sizeof(thread.comm), task->comm);
	bpf_seq_write(ctx->meta->seq, &thread, sizeof(thread));
	return 0;
}

/*
 * Prints lines as in /proc/kallsyms, for symbols outside of the kernel's image. The symbols
 * of the image take most of the time of reading that file. Addresses are hidden as in that
 * file.
 */
SEC("iter/ksym")
int print_symbols(struct bpf_iter__ksym *ctx)
{
	struct kallsym_iter *symbol = ctx->ksym;

	if (symbol && symbol->module_name[0])
		BPF_SEQ_PRINTF(ctx->meta->seq, "%llx %c %s\t[%s]\n",
			symbol->show_value ? (u64)symbol->value : 0, symbol->type, symbol->name,
			symbol->module_name);
	return 0;
}

/* One more program, which observes nothing. */
#include "bpf/direct_map.h"
