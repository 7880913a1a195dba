/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Builds the map record of a virtual memory area: its address range, its file, the
 * identity of the file's content, and the path. All hooks and the snapshot use it; it
 * does not know which of them calls.
 */
#ifndef PERFSTAMP_BPF_MAP_H
#define PERFSTAMP_BPF_MAP_H

#include "bpf/identity.h"
#include "bpf/path.h"
#include "bpf/witness.h"

/* include/uapi/asm-generic/mman*.h */
#define PROT_READ 0x1
#define PROT_WRITE 0x2
#define PROT_EXEC 0x4
#define MAP_SHARED 0x01
#define MAP_PRIVATE 0x02
#define MAP_LOCKED 0x2000

/* Whether the file is the real one below an overlayfs file. */
static __always_inline bool map__is_backing(u32 mode)
{
	return (mode & FMODE_NOACCOUNT) && (mode & (FMODE_BACKING_OLD | FMODE_BACKING_NEW));
}

/* Reads the file's inode, identity and path. */
static __always_inline int map__file(u32 slot, u64 file)
{
	struct scratch *s = scratch__get(slot);
	u64 path, root, fs;
	u32 file_mode;

	if (!s)
		return 0;
	file_mode = identity__of_file(slot, s, file);
	/*
	 * User space may copy the file later, and must then be able to verify that it has not
	 * changed.
	 */
	if (build_id__is_unread(s->map.identity.reason) ||
		(wakes_for_files && s->map.identity.source == PERFSTAMP_SOURCE_PAGE_CACHE))
		witness__take(slot);

	/* On overlayfs, user space needs the path that the process sees, not that of the layer. */
	path = file + bpf_core_field_offset(struct file, f_path);
	if (bpf_core_field_exists(struct backing_file, user_path) && map__is_backing(file_mode))
		path = file + bpf_core_field_offset(struct backing_file, user_path);
	fs = READ(struct task_struct, s->task, fs);
	root = fs ? fs + bpf_core_field_offset(struct fs_struct, root) : 0;
	return path__read(slot, path, root);
}

/*
 * A mapping without a file: anonymous memory, or a special mapping of the kernel
 * ([vdso], [uprobes]), whose private data starts with its name. The vDSO's pages are
 * not mapped yet at this point, so user space reads its note.
 */
static __always_inline int map__no_file(struct scratch *s)
{
	u64 special = READ(struct vm_area_struct, s->vma, vm_private_data);
	long size = 0;

	s->map.identity.reason = PERFSTAMP_REASON_ANONYMOUS;
	if (special)
		size = bpf_probe_read_kernel_str(
			s->path_buf, 32, (void *)READ(struct vm_special_mapping, special, name));
	if (size > 1 && s->path_buf[0] == '[') {
		s->map.path_size = size;
		return 0;
	}
	__builtin_memcpy(s->path_buf, "//anon", sizeof("//anon"));
	s->map.path_size = sizeof("//anon");
	return 0;
}

#define VMA_FRONT 192 /* bytes of struct vm_area_struct with the fields that are read */
#define VMA_READ(s, field) FRONT_READ((s)->raw, VMA_FRONT, struct vm_area_struct, (s)->vma, field)

/* The inode number of the task's mount namespace; 0 if the task has already left it. */
static __always_inline u32 map__mnt_ns(u64 task)
{
	u64 nsproxy = READ(struct task_struct, task, nsproxy);
	u64 mnt_ns = READ(struct nsproxy, nsproxy, mnt_ns);

	return READ(struct mnt_namespace, mnt_ns, ns.inum);
}

/*
 * Builds the record of scratch.vma of scratch.task; see map__make. Inlined, because the
 * verifier allows eight frames and some callers are many frames deep.
 */
static __always_inline int map__build(u32 slot, struct scratch *s, u32 flags)
{
	u64 vm_flags, file, pid_tgid;
	u32 padded;

	FRONT_COPY(s->raw, VMA_FRONT, s->vma);
	vm_flags = VMA_READ(s, vm_flags);
	if (!(vm_flags & VM_EXEC))
		return 0;
	__builtin_memset(&s->content, 0, sizeof(s->content));
	__builtin_memset(&s->map, 0, sizeof(s->map));
	s->map.record.type = PERFSTAMP_RECORD_MAP;
	s->map.record.flags = flags;
	s->map.record.time_ns = bpf_ktime_get_ns();
	s->map.addr = VMA_READ(s, vm_start);
	s->map.len = VMA_READ(s, vm_end) - s->map.addr;
	s->map.pgoff = VMA_READ(s, vm_pgoff) << PAGE_SHIFT;
	s->map.prot = PROT_EXEC | (vm_flags & VM_READ ? PROT_READ : 0) |
		      (vm_flags & VM_WRITE ? PROT_WRITE : 0);
	/* As perf_event_mmap_event() reports them. */
	s->map.map_flags = (vm_flags & VM_MAYSHARE ? MAP_SHARED : MAP_PRIVATE) |
			   (vm_flags & VM_LOCKED ? MAP_LOCKED : 0) |
			   (vm_flags & VM_HUGETLB ? MAP_HUGETLB : 0);
	/* The helpers cost less but only know the current task. */
	if (slot == SLOT_SNAPSHOT) {
		struct task_struct *task = (void *)s->task;

		s->map.record.pid = BPF_CORE_READ(task, tgid);
		s->map.record.tid = BPF_CORE_READ(task, pid);
		s->map.identity.cgroup_id = BPF_CORE_READ(task, cgroups, dfl_cgrp, kn, id);
	} else {
		s->map.cpu = bpf_get_smp_processor_id();
		pid_tgid = bpf_get_current_pid_tgid();
		s->map.record.pid = pid_tgid >> 32;
		s->map.record.tid = pid_tgid;
		s->map.identity.cgroup_id = bpf_get_current_cgroup_id();
	}
	file = VMA_READ(s, vm_file);
	s->map.identity.mnt_ns = map__mnt_ns(s->task);

	if (file) {
		map__file(slot, file);
	} else {
		map__no_file(s);
		/* Without a file, vm_pgoff depends on the address. */
		s->map.pgoff = 0;
	}

	padded = align_up(s->map.path_size, 8);
	if (s->map.path_size <= PERFSTAMP_PATH_MAX)
		__builtin_memset(
			&s->path_buf[s->map.path_size & (2 * PERFSTAMP_PATH_MAX - 1)], 0, 8);
	s->map.record.size = sizeof(s->map) + padded;
	return 1;
}

__noinline int map__fill(u32 slot, u32 flags)
{
	struct scratch *s = scratch__get(slot);

	return s ? map__build(slot, s, flags) : 0;
}

/*
 * Builds the record of @vma of @task in the slot. Returns 1, or 0 if the mapping is not
 * executable. The pointers are passed through memory because global functions accept
 * only scalars.
 */
static __always_inline int map__make(u32 slot, void *task, void *vma, u32 flags)
{
	struct scratch *s = scratch__get(slot);

	if (!s)
		return 0;
	s->task = (u64)task;
	s->vma = (u64)vma;
	return map__fill(slot, flags);
}

#endif
