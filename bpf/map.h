/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes the map record of a virtual memory area: its place, the file behind it,
 * that content's identity, and the path. The same for every hook and for the
 * snapshot; it does not know which of them asks.
 */
#ifndef PERFSTAMP_BPF_MAP_H
#define PERFSTAMP_BPF_MAP_H

#include "bpf/build_id.h"
#include "bpf/path.h"

/* include/uapi/asm-generic/mman*.h */
#define PROT_READ 0x1
#define PROT_WRITE 0x2
#define PROT_EXEC 0x4
#define MAP_SHARED 0x01
#define MAP_PRIVATE 0x02
#define MAP_LOCKED 0x2000
#define MAP_HUGETLB 0x40000

#define MINOR_BITS 20
#define INODE_FRONT 128 /* bytes of struct inode that have what is wanted on most kernels */

static __always_inline void map__identify(u32 slot, struct scratch *s)
{
	struct perfstamp_identity *id = &s->map.identity;
	int reason = build_id__read(slot);

	if (reason) {
		id->build_id_size = 0;
		id->reason = reason;
		/* With neither it is not identified yet: user space is to read it. */
		reason = content__cookie(slot);
		if (reason)
			id->reason = reason;
		else
			id->source = PERFSTAMP_SOURCE_PAGE_CACHE;
	} else {
		id->source = PERFSTAMP_SOURCE_PAGE_CACHE;
	}
}

/* Whether it is the real file below an overlay's. */
static __always_inline bool map__is_backing(struct file *file)
{
	u32 mode = BPF_CORE_READ(file, f_mode);

	return (mode & FMODE_NOACCOUNT) && (mode & (FMODE_BACKING_OLD | FMODE_BACKING_NEW));
}

/* The file's inode, content and path. */
static __always_inline int map__file(u32 slot, u64 file_addr)
{
	struct scratch *s = scratch__get(slot);
	struct file *file = (void *)file_addr;
	struct backing_file *backing = (void *)file_addr;
	struct perfstamp_identity *id;
	struct super_block *sb;
	struct inode *inode, *front;
	struct task_struct *task;
	struct fs_struct *fs;
	u64 path, root;
	u32 dev, mode;

	if (!s)
		return 0;
	id = &s->map.identity;
	inode = BPF_CORE_READ(file, f_inode);
	/* Mode, super block, number and size, and the generation far behind them. */
	front = (void *)s->raw;
	bpf_probe_read_kernel(s->raw, INODE_FRONT, inode);
	sb = FRONT_READ(front, INODE_FRONT, inode, struct inode, i_sb);
	dev = BPF_CORE_READ(sb, s_dev);
	id->dev_major = dev >> MINOR_BITS;
	id->dev_minor = dev & ((1 << MINOR_BITS) - 1);
	id->ino = FRONT_READ(front, INODE_FRONT, inode, struct inode, i_ino);
	id->ino_generation = BPF_CORE_READ(inode, i_generation);
	id->file_size = FRONT_READ(front, INODE_FRONT, inode, struct inode, i_size);

	mode = FRONT_READ(front, INODE_FRONT, inode, struct inode, i_mode);
	if ((mode & S_IFMT) != S_IFREG) {
		id->reason = PERFSTAMP_REASON_NOT_ELF;
	} else if (s->map.map_flags & MAP_HUGETLB) {
		/* Its index counts huge pages. */
		id->reason = PERFSTAMP_REASON_NOT_RESIDENT;
	} else {
		s->content.mapping = (u64)BPF_CORE_READ(file, f_mapping);
		s->content.size = id->file_size;
		map__identify(slot, s);
	}

	/* On overlayfs the path that the process knows, not the one below it. */
	path = file_addr + bpf_core_field_offset(struct file, f_path);
	if (bpf_core_field_exists(backing->user_path) && map__is_backing(file))
		path = file_addr + bpf_core_field_offset(struct backing_file, user_path);
	task = (void *)s->task;
	fs = BPF_CORE_READ(task, fs);
	root = fs ? (u64)fs + bpf_core_field_offset(struct fs_struct, root) : 0;
	return path__read(slot, path, root);
}

/*
 * A mapping with no file: one that the kernel itself made ([vdso], [uprobes]),
 * whose private data begins with its name, or anonymous memory. The vDSO's
 * image is not yet known to the process here; user space reads its note.
 */
static __always_inline int map__no_file(struct scratch *s)
{
	struct vm_area_struct *vma = (void *)s->vma;
	struct vm_special_mapping *special = BPF_CORE_READ(vma, vm_private_data);
	long size = 0;

	s->map.identity.reason = PERFSTAMP_REASON_ANONYMOUS;
	if (special) {
		const char *name = BPF_CORE_READ(special, name);

		size = bpf_probe_read_kernel_str(s->path_buf, 32, name);
	}
	if (size > 1 && s->path_buf[0] == '[') {
		s->map.path_size = size;
		return 0;
	}
	__builtin_memcpy(s->path_buf, "//anon", sizeof("//anon"));
	s->map.path_size = sizeof("//anon");
	return 0;
}

/* The record of scratch.vma of scratch.task. See map__make. */
__noinline int map__fill(u32 slot, u32 flags)
{
	struct scratch *s = scratch__get(slot);
	struct vm_area_struct *vma; /* a copy of it */
	struct task_struct *task;
	u64 vm_flags, file, pid_tgid, raw_size;
	u32 padded;

	if (!s)
		return 0;
	vma = (void *)s->raw;
	task = (void *)s->task;
	raw_size = bpf_core_type_size(struct vm_area_struct);
	if (raw_size > RAW_SIZE)
		raw_size = RAW_SIZE;
	bpf_probe_read_kernel(s->raw, raw_size, (void *)s->vma);
	vm_flags = vma->vm_flags;
	if (!(vm_flags & VM_EXEC))
		return 0;
	__builtin_memset(&s->content, 0, sizeof(s->content));
	__builtin_memset(&s->map, 0, sizeof(s->map));
	s->map.record.type = PERFSTAMP_RECORD_MAP;
	s->map.record.flags = flags;
	s->map.record.time_ns = bpf_ktime_get_ns();
	s->map.addr = vma->vm_start;
	s->map.len = vma->vm_end - s->map.addr;
	s->map.pgoff = (u64)vma->vm_pgoff << PAGE_SHIFT;
	s->map.prot = PROT_EXEC | (vm_flags & VM_READ ? PROT_READ : 0) |
		      (vm_flags & VM_WRITE ? PROT_WRITE : 0);
	/* As perf_event_mmap_event() tells them. */
	s->map.map_flags = (vm_flags & VM_MAYSHARE ? MAP_SHARED : MAP_PRIVATE) |
			   (vm_flags & VM_LOCKED ? MAP_LOCKED : 0) |
			   (vm_flags & VM_HUGETLB ? MAP_HUGETLB : 0);
	/* The helpers know of the current task only, but they cost less. */
	if (slot == SLOT_SNAPSHOT) {
		s->map.record.pid = BPF_CORE_READ(task, tgid);
		s->map.record.tid = BPF_CORE_READ(task, pid);
		s->map.identity.cgroup_id = BPF_CORE_READ(task, cgroups, dfl_cgrp, kn, id);
	} else {
		pid_tgid = bpf_get_current_pid_tgid();
		s->map.record.pid = pid_tgid >> 32;
		s->map.record.tid = pid_tgid;
		s->map.identity.cgroup_id = bpf_get_current_cgroup_id();
	}
	s->map.identity.mnt_ns = BPF_CORE_READ(task, nsproxy, mnt_ns, ns.inum);

	file = (u64)vma->vm_file;
	if (file) {
		map__file(slot, file);
	} else {
		map__no_file(s);
		/* Without a file it is the address, as perf has it. */
		s->map.pgoff = 0;
	}

	padded = align_up(s->map.path_size, 8);
	if (s->map.path_size <= PERFSTAMP_PATH_MAX)
		__builtin_memset(
			&s->path_buf[s->map.path_size & (2 * PERFSTAMP_PATH_MAX - 1)], 0, 8);
	s->map.record.size = sizeof(s->map) + padded;
	return 1;
}

/*
 * The record of @vma of @task, into the slot. 1 when there is one; 0 for a
 * mapping that is not executable. The pointers pass through memory because the
 * verifier would not take one for the scalar that a global function wants.
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
