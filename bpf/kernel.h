/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel fields that perfstamp touches, and no others. CO-RE moves every access to
 * where the running kernel has the field, so that the build needs no vmlinux.h and does not
 * depend on the build machine's kernel. If only some versions have a field, a comment
 * beside it names them.
 *
 * Without such a comment, the field was verified on 5.10, 6.1, 6.12, 6.18 and 7.x.
 */
#ifndef PERFSTAMP_BPF_KERNEL_H
#define PERFSTAMP_BPF_KERNEL_H

#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <linux/types.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s32 s32;
typedef __s64 s64;
typedef _Bool bool;
#define true 1
#define false 0
#define NULL ((void *)0)

/* User space sets the page size if kernels of this architecture can have several. */
#ifdef __TARGET_ARCH_x86
#define PAGE_SHIFT 12
#else
const volatile __u32 page_shift = 12;
#define PAGE_SHIFT page_shift
#endif
#define PAGE_SIZE (1ul << PAGE_SHIFT)
#define PAGE_MASK (PAGE_SIZE - 1)

/* include/linux/mm.h */
#define VM_READ 0x1
#define VM_WRITE 0x2
#define VM_EXEC 0x4
#define VM_MAYSHARE 0x80
#define VM_LOCKED 0x2000
#define VM_HUGETLB 0x400000

/*
 * include/linux/fs.h; from 6.5 on (commit 62d53c4a1dfe). The bit was moved by 6.14 and by
 * stable releases before it, and either position has another meaning on other kernels. Of
 * the files that a process can map, all backing files, and only these, have
 * FMODE_NOACCOUNT.
 */
#define FMODE_BACKING_OLD (1u << 25)
#define FMODE_BACKING_NEW (1u << 24)
#define FMODE_NOACCOUNT (1u << 29)

#define MAP_HUGETLB 0x40000 /* include/uapi/asm-generic/mman-common.h */
#define MINOR_BITS 20       /* include/linux/kdev_t.h */

/* include/uapi/linux/stat.h */
#define S_IFMT 0170000
#define S_IFREG 0100000

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct inode;
struct dentry;
struct vfsmount;

struct qstr {
	union {
		struct {
			u32 hash;
			u32 len;
		};
		u64 hash_len;
	};
	const unsigned char *name;
};

struct hlist_bl_node {
	struct hlist_bl_node **pprev;
};

struct dentry {
	struct hlist_bl_node d_hash;
	struct dentry *d_parent;
	struct qstr d_name;
};

struct vfsmount {
	struct dentry *mnt_root;
	struct super_block *mnt_sb;
};

struct mount {
	struct mount *mnt_parent;
	struct dentry *mnt_mountpoint;
	struct vfsmount mnt;
	u64 mnt_id_unique; /* from 6.8 on (commit 98d2b4308197) */
};

struct path {
	struct vfsmount *mnt;
	struct dentry *dentry;
};

struct xarray {
	void *xa_head;
};

struct xa_node {
	u8 shift;
	void *slots[64];
};

typedef struct {
	int counter;
} atomic_t;

struct address_space {
	struct inode *host;
	struct xarray i_pages;
	atomic_t i_mmap_writable;
};

struct super_block {
	u32 s_dev;
	u32 s_time_gran; /* nanoseconds */
	unsigned long s_magic;
};

struct timespec64 {
	s64 tv_sec;
	long tv_nsec;
};

typedef struct {
	u32 val;
} kuid_t;

struct inode {
	u16 i_mode;
	kuid_t i_uid;
	u32 i_generation;
	unsigned long i_ino;
	s64 i_size;
	struct super_block *i_sb;
	atomic_t i_writecount;
	struct address_space i_data;
	/* Up to 6.5. */
	struct timespec64 i_mtime;
	struct timespec64 i_ctime;
	/* From 6.6 on (commit 13bc24457850), and from 6.7 on (commit 12cd44023651). */
	struct timespec64 __i_ctime;
	struct timespec64 __i_mtime;
	/* From 6.11 on (commit 3aa63a569c64). */
	s64 i_mtime_sec;
	s64 i_ctime_sec;
	u32 i_mtime_nsec;
	u32 i_ctime_nsec;
};

struct file {
	u32 f_mode;
	struct path f_path;
	struct inode *f_inode;
	struct address_space *f_mapping;
};

/* user_path: from 6.8 on (commit def3ae83da02); before, f_path is the user's. */
struct backing_file {
	struct file file;
	struct path user_path;
};

/* Up to 5.15 the page cache holds struct page. */
struct page {
	unsigned long flags;
	unsigned long index;
	struct address_space *mapping;
};

/* From 5.16 on (commit 7b230db3b8d3). */
struct folio {
	unsigned long flags;
	unsigned long index;
	struct address_space *mapping;
};

/* From 6.18 on flags is a struct (commit 53fbef56e07d). */
typedef struct {
	unsigned long f;
} memdesc_flags_t;

struct folio___memdesc {
	memdesc_flags_t flags;
};

enum pageflags {
	PG_uptodate = 2, /* the value is taken from the running kernel */
};

/* From 6.1 on (commit 54a611b60590): include/linux/maple_tree.h. */
struct maple_tree {
	void *ma_root;
};

struct maple_range_64 {
	unsigned long pivot[15];
	void *slot[16];
};

struct maple_arange_64 {
	unsigned long pivot[9];
	void *slot[10];
};

enum maple_type {
	maple_range_64 = 2, /* the values are taken from the running kernel */
	maple_arange_64 = 3,
};

struct mm_struct {
	struct maple_tree mm_mt;
	unsigned long exec_vm;     /* pages that are executable and not writable */
	struct task_struct *owner; /* with CONFIG_MEMCG */
};

/* Up to 6.0 (commit 763ecb035029). */
struct mm_struct___list {
	struct vm_area_struct *mmap;
};

struct vm_area_struct {
	unsigned long vm_start;
	unsigned long vm_end;
	struct vm_area_struct *vm_next; /* up to 6.0 (commit 763ecb035029) */
	struct mm_struct *vm_mm;
	unsigned long vm_flags;
	unsigned long vm_pgoff;
	struct file *vm_file;
	void *vm_private_data;
};

struct vm_special_mapping {
	const char *name;
};

struct ns_common {
	u32 inum;
};

struct mnt_namespace {
	struct ns_common ns;
};

struct nsproxy {
	struct mnt_namespace *mnt_ns;
};

struct kernfs_node {
	u64 id; /* from 5.5 on (commit 67c0496e87d1) */
};

struct cgroup {
	struct kernfs_node *kn;
};

struct css_set {
	struct cgroup *dfl_cgrp;
};

struct fs_struct {
	struct path root;
};

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

struct thread_info {
	u32 status; /* on x86 */
};

/* include/linux/sched.h */
#define PF_EXITING 0x4

struct list_head {
	struct list_head *next;
};

struct sched_entity {
	u64 sum_exec_runtime; /* ns; of every scheduling class */
};

struct signal_struct {
	struct list_head thread_head;
	u64 sum_sched_runtime;               /* ns; of released threads, including the leader */
	struct task_struct *group_exec_task; /* the thread that executes a program; from 5.17 on */
};

struct signal_struct___old {
	struct task_struct *group_exit_task; /* the same before 5.17, or a thread that dumps core */
};

struct task_struct {
	struct thread_info thread_info;
	void *stack;
	unsigned int flags;
	int pid;
	int tgid;
	unsigned int personality;
	u64 start_time;
	u64 start_boottime;
	char comm[16];
	struct sched_entity se;
	struct list_head thread_node;
	struct signal_struct *signal;
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	struct pid *thread_pid; /* NULL once it is reaped */
	struct mm_struct *mm;
	struct fs_struct *fs;
	struct files_struct *files;
	struct nsproxy *nsproxy;
	struct css_set *cgroups;
};

struct seq_file;

struct bpf_iter_meta {
	struct seq_file *seq;
	u64 session_id;
	u64 seq_num;
};

/* From 5.8 on (commit eaaacd23910f). */
struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

/* From 5.9 on (commit a5cbe05a6673). */
struct bpf_iter__bpf_map_elem {
	struct bpf_iter_meta *meta;
	struct bpf_map *map;
	void *key;
	void *value;
};

/* kernel/kallsyms_internal.h and kallsyms.c; include/linux/kallsyms.h from 6.0 on. */
struct kallsym_iter {
	unsigned long value;
	char type;
	char name[512];
	char module_name[56];
	int show_value;
};

/* From 6.0 on (commit 647cafa22349). */
struct bpf_iter__ksym {
	struct bpf_iter_meta *meta;
	struct kallsym_iter *ksym;
};

/* From 5.12 on (commit 3a7b35b899de). */
struct bpf_iter__task_vma {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
	struct vm_area_struct *vma;
};

#pragma clang attribute pop

#endif
