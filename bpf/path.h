/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The path of a mapped file, from its dentry up through the mounts to the
 * root of the process that maps it: what d_path() gives that process, without
 * the " (deleted)" that d_path() appends (PERFSTAMP_MAP_DELETED says it).
 * bpf_d_path() is not allowed where the mappings are seen.
 */
#ifndef PERFSTAMP_BPF_PATH_H
#define PERFSTAMP_BPF_PATH_H

#include "bpf/scratch.h"

#define PATH_STEPS_MAX 512 /* components and mounts */
#define PATH_DONE 1

/* Puts one component, or crosses one mount. 0, or PATH_DONE. */
__noinline int path__step(u32 slot)
{
	struct scratch *s = scratch__get(slot);
	struct dentry *dentry, *parent;
	struct vfsmount *mnt;
	struct qstr name;
	u32 pos, len;

	if (!s)
		return PATH_DONE;
	dentry = (void *)s->path.dentry;
	mnt = (void *)s->path.mnt;
	if (s->path.dentry == s->path.root_dentry && s->path.mnt == s->path.root_mnt)
		return PATH_DONE;
	parent = BPF_CORE_READ(dentry, d_parent);
	if (dentry == BPF_CORE_READ(mnt, mnt_root)) {
		struct mount *mount = (void *)mnt - bpf_core_field_offset(struct mount, mnt);
		struct mount *above = BPF_CORE_READ(mount, mnt_parent);

		if (mount == above)
			return PATH_DONE;
		s->path.dentry = (u64)BPF_CORE_READ(mount, mnt_mountpoint);
		s->path.mnt = (u64)above + bpf_core_field_offset(struct mount, mnt);
		return 0;
	}
	name.len = BPF_CORE_READ(dentry, d_name.len);
	name.name = BPF_CORE_READ(dentry, d_name.name);
	len = name.len;
	pos = s->path.pos;
	if (len > NAME_MAX || pos >= PERFSTAMP_PATH_MAX || pos < len + 1) {
		s->path.cut = 1;
		return PATH_DONE;
	}
	pos -= len + 1;
	/* For the verifier, which does not follow the comparison above. */
	barrier_var(pos);
	pos &= PERFSTAMP_PATH_MAX - 1;
	bpf_probe_read_kernel(&s->path_work[pos + 1], len & NAME_MAX, name.name);
	s->path_work[pos] = '/';
	s->path.pos = pos;
	/* A file without a place in the tree (memfd) is its own parent. */
	if (dentry == parent)
		return PATH_DONE;
	s->path.dentry = (u64)parent;
	return 0;
}

/*
 * The path of @path_addr (struct path *) as @root_addr (struct path *, or 0 for
 * the initial root) sees it, into the record.
 */
__noinline int path__read(u32 slot, u64 path_addr, u64 root_addr)
{
	struct scratch *s = scratch__get(slot);
	struct path *path = (void *)path_addr, *root = (void *)root_addr;
	struct dentry *dentry;
	u32 len, i;

	if (!s)
		return 0;
	dentry = BPF_CORE_READ(path, dentry);
	s->path.dentry = (u64)dentry;
	s->path.mnt = (u64)BPF_CORE_READ(path, mnt);
	s->path.root_dentry = root ? (u64)BPF_CORE_READ(root, dentry) : 0;
	s->path.root_mnt = root ? (u64)BPF_CORE_READ(root, mnt) : 0;
	s->path.cut = 0;
	/* The last byte is the NUL. */
	s->path.pos = PERFSTAMP_PATH_MAX - 1;
	s->path_work[PERFSTAMP_PATH_MAX - 1] = 0;
	/* d_unlinked(): not hashed and not a root of its own */
	if (!BPF_CORE_READ(dentry, d_hash.pprev) && BPF_CORE_READ(dentry, d_parent) != dentry)
		s->map.record.flags |= PERFSTAMP_MAP_DELETED;
	for (i = 0; i < PATH_STEPS_MAX; i++)
		if (path__step(slot))
			break;
	if (i == PATH_STEPS_MAX || s->path.cut)
		s->map.record.flags |= PERFSTAMP_MAP_PATH_CUT;
	len = PERFSTAMP_PATH_MAX - s->path.pos;
	if (len > PERFSTAMP_PATH_MAX)
		return 0;
	bpf_probe_read_kernel(s->path_buf, len & (2 * PERFSTAMP_PATH_MAX - 1),
		&s->path_work[s->path.pos & (PERFSTAMP_PATH_MAX - 1)]);
	s->map.path_size = len;
	return 0;
}

#endif
