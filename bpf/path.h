/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The path of a mapped file, from its dentry up through the mounts to the root of the
 * process that maps it: what d_path() returns to that process, without the " (deleted)"
 * that d_path() appends (PERFSTAMP_MAP_DELETED replaces it). bpf_d_path() is not allowed in
 * the hooks.
 */
#ifndef PERFSTAMP_BPF_PATH_H
#define PERFSTAMP_BPF_PATH_H

#include "bpf/scratch.h"

#define PATH_TURNS_MAX 16 /* iterations, each of up to PATH_STEPS components and mounts */
#define PATH_STEPS 32
#define PATH_DONE 1

#define DENTRY_FRONT 64 /* bytes of struct dentry: its links and name, on most kernels */
#define PATH_FRONT 16   /* all of struct path */

/* Adds one component, or crosses one mount. Returns 0 or PATH_DONE. */
__noinline int path__step(u32 slot)
{
	struct scratch *s = scratch__get(slot);
	u64 dentry, parent, name;
	u32 pos, len;

	if (!s)
		return PATH_DONE;
	if (s->path.dentry == s->path.root_dentry && s->path.mnt == s->path.root_mnt)
		return PATH_DONE;
	if (s->path.dentry == s->path.mnt_root) {
		u64 mnt = bpf_core_field_offset(struct mount, mnt);
		u64 mount = s->path.mnt - mnt;
		u64 above = READ(struct mount, mount, mnt_parent);

		if (mount == above)
			return PATH_DONE;
		s->path.dentry = READ(struct mount, mount, mnt_mountpoint);
		s->path.mnt = above + mnt;
		s->path.mnt_root = READ(struct mount, above, mnt.mnt_root);
		return 0;
	}
	dentry = s->path.dentry;
	FRONT_COPY(s->raw, DENTRY_FRONT, dentry);
	parent = FRONT_READ(s->raw, DENTRY_FRONT, struct dentry, dentry, d_parent);
	name = FRONT_READ(s->raw, DENTRY_FRONT, struct dentry, dentry, d_name.name);
	len = FRONT_READ(s->raw, DENTRY_FRONT, struct dentry, dentry, d_name.len);
	pos = s->path.pos;
	if (len > NAME_MAX || pos >= PERFSTAMP_PATH_MAX || pos < len + 1) {
		s->path.cut = 1;
		return PATH_DONE;
	}
	pos -= len + 1;
	/* For the verifier, which does not track the comparison above. */
	barrier_var(pos);
	pos &= PERFSTAMP_PATH_MAX - 1;
	bpf_probe_read_kernel(&s->path_work[pos + 1], len & NAME_MAX, (void *)name);
	s->path_work[pos] = '/';
	s->path.pos = pos;
	/* A file that is in no directory (memfd) is its own parent. */
	if (s->path.dentry == parent)
		return PATH_DONE;
	s->path.dentry = parent;
	return 0;
}

/*
 * Several steps at once, because the verifier is faster with two short loops than with a
 * long one.
 */
__noinline int path__steps(u32 slot)
{
	int i;

	for (i = 0; i < PATH_STEPS; i++)
		if (path__step(slot))
			return PATH_DONE;
	return 0;
}

/*
 * Stores the path of @path_addr (struct path *), relative to @root_addr (struct path *, or
 * 0 for the initial root), in the record.
 */
__noinline int path__read(u32 slot, u64 path_addr, u64 root_addr)
{
	struct scratch *s = scratch__get(slot);
	u64 dentry;
	u32 len, i;

	if (!s)
		return 0;
	s->path.root_dentry = s->path.root_mnt = 0;
	if (root_addr) {
		FRONT_COPY(s->raw, PATH_FRONT, root_addr);
		s->path.root_dentry = FRONT_READ(
			s->raw, PATH_FRONT, struct path, root_addr, dentry);
		s->path.root_mnt = FRONT_READ(s->raw, PATH_FRONT, struct path, root_addr, mnt);
	}
	FRONT_COPY(s->raw, PATH_FRONT, path_addr);
	dentry = FRONT_READ(s->raw, PATH_FRONT, struct path, path_addr, dentry);
	s->path.dentry = dentry;
	s->path.mnt = FRONT_READ(s->raw, PATH_FRONT, struct path, path_addr, mnt);
	s->path.mnt_root = READ(struct vfsmount, s->path.mnt, mnt_root);
	s->path.cut = 0;
	/* The last byte is the NUL. */
	s->path.pos = PERFSTAMP_PATH_MAX - 1;
	s->path_work[PERFSTAMP_PATH_MAX - 1] = 0;
	/* d_unlinked(): not hashed and not a root of its own */
	if (!READ(struct dentry, dentry, d_hash.pprev) &&
		READ(struct dentry, dentry, d_parent) != dentry)
		s->map.record.flags |= PERFSTAMP_MAP_DELETED;
	for (i = 0; i < PATH_TURNS_MAX; i++)
		if (path__steps(slot))
			break;
	if (i == PATH_TURNS_MAX || s->path.cut)
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
