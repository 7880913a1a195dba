// SPDX-License-Identifier: GPL-2.0-only
/*
 * Identities of content that was not in memory when it was mapped, on kernels that let a program
 * wait for a disk. If pages are missing, the hook in bpf/perfstamp.bpf.c passes the mapping to
 * on_cold(). on_cold() makes the task call on_resume() before the task returns to user space, and
 * so before it runs code of the mapping. The task holds no lock there and may sleep. on_resume()
 * reads the missing pages through the mapping's own file, and emits the record again.
 *
 * Content in memory costs nothing extra. Overlays, exec and mprotect need no special code, because
 * the new mapping has its real file. User space (user/source/bpf/faulting.c) loads this object only
 * if the kernel has everything that it needs.
 */

/* The kernel finds the type by its name. The headers have it from 6.18 on. */
#define bpf_task_work bpf_task_work_of_headers
#include "bpf/kernel.h"
#undef bpf_task_work
#include "bpf/emit.h"
#include "bpf/identity.h"
#include "bpf/witness.h"

char LICENSE[] SEC("license") = "GPL";

#define READS_MAX 64 /* pages read for one mapping: anyone can map a file of many notes */
#define PENDING_MAX 1024
#define TRIES_MAX 64

/* include/linux/fs.h */
#define FMODE_READ 0x1
#define S_DAX (1u << 13)
#define FS_REQUIRES_DEV 1
/* include/uapi/linux/magic.h */
#define FUSE_SUPER_MAGIC 0x65735546

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

/* Kernel structs that only this object reads. */
struct file_system_type {
	int fs_flags;
};

typedef struct {
	s64 counter;
} atomic64_t;

struct fsnotify_sb_info {
	atomic64_t watched_objects[3];
};

struct super_block___faulting {
	unsigned long s_magic;
	struct file_system_type *s_type;
	struct fsnotify_sb_info *s_fsnotify_info;
};

struct inode___faulting {
	u32 i_flags;
	struct super_block___faulting *i_sb;
};

/*
 * From 7.2 on, the iterator copies an area and holds no lock while a program runs. Before,
 * it held the mmap lock, under which nothing may wait for a file system.
 */
struct bpf_iter_task_vma_kern_data {
	struct vm_area_struct snapshot;
};

#pragma clang attribute pop

/* The names are the kernel's. The kernel and libbpf compare only the kinds of the types. */
struct bpf_task_work {
	u64 opaque;
} __attribute__((aligned(8)));

struct bpf_iter_task_vma {
	u64 opaque;
} __attribute__((aligned(8)));

struct bpf_map {
	u32 id;
};

typedef int (*bpf_task_work_callback_t)(struct bpf_map *map, void *key, void *value);

extern int bpf_task_work_schedule_resume(struct task_struct *task, struct bpf_task_work *tw,
	void *map, bpf_task_work_callback_t callback) __ksym;
extern int bpf_iter_task_vma_new(
	struct bpf_iter_task_vma *it, struct task_struct *task, u64 addr) __ksym;
extern struct vm_area_struct *bpf_iter_task_vma_next(struct bpf_iter_task_vma *it) __ksym;
extern void bpf_iter_task_vma_destroy(struct bpf_iter_task_vma *it) __ksym;
extern int bpf_dynptr_from_file(struct file *file, u32 flags, struct bpf_dynptr *ptr) __ksym;
extern int bpf_dynptr_file_discard(struct bpf_dynptr *ptr) __ksym;
extern void bpf_preempt_disable(void) __ksym;
extern void bpf_preempt_enable(void) __ksym;

/* As bpf_dynptr_read(), whose offset has only 32 bits in older versions of libbpf. */
static long (*const dynptr_read)(void *dst, u64 size, const struct bpf_dynptr *src, u64 offset,
	u64 flags) = (void *)BPF_FUNC_dynptr_read;

struct mapping {
	u64 addr;
	u64 time_ns; /* time of its first record */
};

/* A mapping for which on_resume will run. */
struct pending_key {
	u64 pid_tgid;
	u64 addr;
};

struct pending {
	struct bpf_task_work work;
	u64 time_ns;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, PENDING_MAX);
	__type(key, struct pending_key);
	__type(value, struct pending);
} pending_map SEC(".maps");

/*
 * Whether reading @file brings its content into memory and waits only for a disk: not for a
 * process (FUSE, or a watcher that fills files when they are read), nor for another
 * machine.
 */
static __always_inline bool can_be_read(struct file *file)
{
	struct inode___faulting *inode = (void *)BPF_CORE_READ(file, f_inode);
	struct super_block___faulting *sb = BPF_CORE_READ(inode, i_sb);
	struct fsnotify_sb_info *watchers;

	if (!(BPF_CORE_READ(file, f_mode) & FMODE_READ) || BPF_CORE_READ(inode, i_flags) & S_DAX)
		return false;
	if (!(BPF_CORE_READ(sb, s_type, fs_flags) & FS_REQUIRES_DEV) ||
		BPF_CORE_READ(sb, s_magic) == FUSE_SUPER_MAGIC)
		return false;
	watchers = BPF_CORE_READ(sb, s_fsnotify_info);
	/* FSNOTIFY_PRIO_PRE_CONTENT */
	return !watchers || !BPF_CORE_READ(watchers, watched_objects[2].counter);
}

/* Emits the record in the slot again, now with the identity. The second record has no path. */
static __always_inline void emit_again(struct scratch *s, const struct mapping *mapping, bool read)
{
	u64 pid_tgid = bpf_get_current_pid_tgid();

	s->map.record.type = PERFSTAMP_RECORD_MAP;
	s->map.record.flags = PERFSTAMP_MAP_AGAIN;
	s->map.record.size = sizeof(s->map) + 8;
	s->map.record.time_ns = mapping->time_ns;
	s->map.record.pid = pid_tgid >> 32;
	s->map.record.tid = pid_tgid;
	s->map.addr = mapping->addr;
	s->map.path_size = 1;
	*(u64 *)s->path_buf = 0;
	if (read && s->map.identity.source == PERFSTAMP_SOURCE_PAGE_CACHE)
		s->map.identity.source = PERFSTAMP_SOURCE_FAULTED;
	emit__ring(SLOT_HOOK);
}

/*
 * Records the identity of @file; @read: pages were read for it. Returns the offset of a page that
 * is not in memory, or -1 when the identity is recorded. A program that can sleep has no slot of
 * its own. It uses the hook's slot with preemption off, so that no hook runs on this CPU.
 */
static __always_inline s64 record(const struct mapping *mapping, struct file *file, bool read)
{
	struct scratch *s;
	s64 missing = -1;

	bpf_preempt_disable();
	s = scratch__get(SLOT_HOOK);
	if (s) {
		__builtin_memset(&s->content, 0, sizeof(s->content));
		__builtin_memset(&s->map, 0, sizeof(s->map));
		s->map.record.time_ns = bpf_ktime_get_ns();
		identity__of_file(SLOT_HOOK, s, (u64)file);
		witness__take(SLOT_HOOK);
		if (s->map.identity.reason == PERFSTAMP_REASON_NOT_RESIDENT)
			missing = s->content.missing_index << PAGE_SHIFT;
		else
			emit_again(s, mapping, read);
	}
	bpf_preempt_enable();
	return missing;
}

/* Reads each page that the walk misses. */
static __always_inline void read_file(const struct mapping *mapping, struct file *file)
{
	struct bpf_dynptr content;
	s64 missing;
	char byte;
	int i;

	if (!file || !can_be_read(file))
		return;
	if (!bpf_dynptr_from_file(file, 0, &content)) {
		for (i = 0; i < READS_MAX; i++) {
			missing = record(mapping, file, i);
			if (missing < 0 || dynptr_read(&byte, 1, &content, missing, 0))
				break;
		}
	}
	bpf_dynptr_file_discard(&content);
}

/* Returns 1 if no further attempt is needed. */
static long read_mapping(u32 try, void *data)
{
	const struct mapping *mapping = data;
	struct bpf_iter_task_vma it;
	struct vm_area_struct *vma;
	long found;

	bpf_iter_task_vma_new(&it, bpf_get_current_task_btf(), mapping->addr);
	vma = bpf_iter_task_vma_next(&it);
	found = vma != NULL;
	/* Another thread may have changed the mapping. */
	if (vma && vma->vm_start == mapping->addr)
		read_file(mapping, vma->vm_file);
	bpf_iter_task_vma_destroy(&it);
	return found;
}

/* Runs in the task, on its return to user space, with no lock held. */
static int on_resume(struct bpf_map *map, void *key, void *value)
{
	struct pending_key id = *(struct pending_key *)key;
	struct mapping mapping = {.addr = id.addr};

	mapping.time_ns = ((struct pending *)value)->time_ns;
	/*
	 * The iterator fails if the task's alloc_lock is taken, instead of waiting. Others hold it
	 * only briefly.
	 */
	bpf_loop(TRIES_MAX, read_mapping, &mapping, 0);
	bpf_map_delete_elem(&pending_map, &id);
	return 0;
}

/* Runs instead of the rest of the hook, with the record in the slot. */
SEC("kprobe/perf_event_mmap")
int on_cold(struct pt_regs *ctx)
{
	struct scratch *s = scratch__get(SLOT_HOOK);
	struct vm_area_struct *vma;
	struct pending_key key;
	struct pending *pending, new = {0};
	struct file *file;

	if (!s)
		return 0;
	vma = (void *)s->vma;
	file = BPF_CORE_READ(vma, vm_file);
	if (!can_be_read(file))
		goto emit;
	key.pid_tgid = bpf_get_current_pid_tgid();
	key.addr = s->map.addr;
	new.time_ns = s->map.record.time_ns;
	if (bpf_map_update_elem(&pending_map, &key, &new, BPF_ANY))
		goto emit;
	pending = bpf_map_lookup_elem(&pending_map, &key);
	if (!pending)
		goto emit;
	if (bpf_task_work_schedule_resume(
		    bpf_get_current_task_btf(), &pending->work, &pending_map, on_resume))
		bpf_map_delete_elem(&pending_map, &key);
	else
		s->map.record.flags |= PERFSTAMP_MAP_PENDING;
emit:
	emit__ring(SLOT_HOOK);
	return 0;
}
