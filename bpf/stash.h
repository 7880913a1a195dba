/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stash: identities that were read before, by inode. One is served only where
 * the content has provably not changed since it was read, whatever became of the
 * pages. Knows inodes, and nothing of what an identity is made of.
 *
 * The proof. Whoever changes content has the file open for writing meanwhile
 * (i_writecount), and the inode's ctime is set before the content is touched; users
 * cannot set it. So, where nobody has the file open for writing and then the ctime is
 * still the same, nobody has changed it since, unless twice within one tick of the
 * clock. That is ruled out by letting pass some time between a ctime and the reading
 * that counts: either by the clock that ctimes are of, or by having seen the same
 * ctime before (STASH_QUIET). It is long enough for clocks that are stepped back by a
 * leap second, and for all granularities of the file systems below.
 *
 * Only some file systems keep to that. tmpfs sets no ctime when memory that was read
 * through a shared mapping is then written through it. On btrfs, inodes of two
 * subvolumes agree in device and number. Of what comes over a network, or from user
 * space (FUSE), content changes without this kernel's doing.
 *
 * That it is still the same inode is told by device, number and generation, which is
 * random, and by ctime, where the kernel made the file. Tools that make whole images
 * put the same numbers and times into the next one: there it must be the same mount,
 * too, or the file system that is held mounted because it has the recorder's root.
 *
 * What it cannot see: whoever writes below a mounted file system, or uses what XFS has
 * for backup programs of root to leave no trace, or moves extents between two files
 * of its own (XFS_IOC_SWAPEXT, EXT4_IOC_MOVE_EXT).
 */
#ifndef PERFSTAMP_BPF_STASH_H
#define PERFSTAMP_BPF_STASH_H

#include "bpf/scratch.h"

#define STASH_QUIET_NS 2000000000ull
#define STASH_OLD_SEC 64 /* by the wall clock, which can be stepped */

/* include/uapi/linux/magic.h; ext2 and ext3 have the same. */
#define EXT4_SUPER_MAGIC 0xef53
#define F2FS_SUPER_MAGIC 0xf2f52010
#define XFS_SUPER_MAGIC 0x58465342
/* Those that are never written. */
#define SQUASHFS_MAGIC 0x73717368
#define EROFS_SUPER_MAGIC_V1 0xe0f5e1e2

#define STASH_NO_MOUNT 1 /* numbers of mounts are above 2^31 */

/* Of the real inode; an overlay has none of its own here. */
#define INODE_FRONT 136 /* bytes of struct inode that have what is wanted on most kernels */
#define INODE_READ(s, field) FRONT_READ((s)->raw, INODE_FRONT, struct inode, (s)->inode, field)

/* CLOCK_TAI less CLOCK_REALTIME, in seconds; set before loading. */
const volatile __s64 tai_offset = 0;

/* The file system of the recorder's root. Set by locate_direct_map. */
__u64 held_sb;

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 8192); /* user space adds some where there are many CPUs */
	__type(key, struct stash_key);
	__type(value, struct stash_entry);
} stash SEC(".maps");

/* Whether someone has it open for writing. To be asked before the stamps are read. */
static __always_inline bool inode__is_writable(u64 inode)
{
	u64 mapping = inode + bpf_core_field_offset(struct inode, i_data);

	return (s32)READ(struct inode, inode, i_writecount.counter) > 0 ||
	       (s32)READ(struct address_space, mapping, i_mmap_writable.counter) > 0;
}

/* Copies what is read of the inode most. Before INODE_READ. */
static __always_inline void inode__copy(struct scratch *s)
{
	FRONT_COPY(s->raw, INODE_FRONT, s->inode);
}

static __always_inline void inode__stamps(struct scratch *s, struct stamps *ret)
{
	ret->size = INODE_READ(s, i_size);
	if (bpf_core_field_exists(struct inode, i_ctime_sec)) {
		ret->mtime_sec = INODE_READ(s, i_mtime_sec);
		ret->mtime_nsec = INODE_READ(s, i_mtime_nsec);
		ret->ctime_sec = INODE_READ(s, i_ctime_sec);
		/* Bit 31 says whether it was asked for (I_CTIME_QUERIED, from 6.13 on). */
		ret->ctime_nsec = INODE_READ(s, i_ctime_nsec) & 0x7fffffff;
		return;
	}
	if (bpf_core_field_exists(struct inode, __i_mtime)) {
		ret->mtime_sec = INODE_READ(s, __i_mtime.tv_sec);
		ret->mtime_nsec = INODE_READ(s, __i_mtime.tv_nsec);
	} else {
		ret->mtime_sec = INODE_READ(s, i_mtime.tv_sec);
		ret->mtime_nsec = INODE_READ(s, i_mtime.tv_nsec);
	}
	if (bpf_core_field_exists(struct inode, __i_ctime)) {
		ret->ctime_sec = INODE_READ(s, __i_ctime.tv_sec);
		ret->ctime_nsec = INODE_READ(s, __i_ctime.tv_nsec);
	} else {
		ret->ctime_sec = INODE_READ(s, i_ctime.tv_sec);
		ret->ctime_nsec = INODE_READ(s, i_ctime.tv_nsec);
	}
}

static __always_inline bool stamps__agree(const struct stamps *a, const struct stamps *b)
{
	return a->ctime_sec == b->ctime_sec && a->ctime_nsec == b->ctime_nsec &&
	       a->mtime_sec == b->mtime_sec && a->mtime_nsec == b->mtime_nsec && a->size == b->size;
}

/*
 * An entry can be taken for another inode while it is copied: what was copied then is
 * of both. The super block's address makes another file system at the same device
 * another one here, too.
 */
static __always_inline u64 stash__check(const struct scratch *s)
{
	const u64 *words = (const u64 *)&s->entry;
	u64 hash = s->key.ino ^ s->sb ^ ((u64)s->key.generation << 32 | s->key.dev);
	u32 i;

#pragma unroll
	for (i = 0; i < sizeof(s->entry) / sizeof(*words); i++) {
		if (i == __builtin_offsetof(struct stash_entry, check) / sizeof(*words))
			continue;
		hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15ull;
		hash ^= hash >> 32;
	}
	return hash;
}

/* Copies the inode's entry, which is then of these stamps: 1, or 0 if there is none. */
__noinline int stash__find(u32 slot)
{
	struct scratch *s = scratch__get(slot);
	struct stash_entry *entry;

	if (!s)
		return 0;
	entry = bpf_map_lookup_elem(&stash, &s->key);
	if (!entry)
		return 0;
	s->entry = *entry;
	return s->entry.check == stash__check(s) && s->entry.anchor == s->anchor &&
	       stamps__agree(&s->entry.stamps, &s->stamps);
}

/* Whether the inode's times tell of changes, as the proof above wants it. */
static __always_inline bool stash__is_for(const struct scratch *s)
{
	u64 magic = READ(struct super_block, s->sb, s_magic);

	/* What has its pages elsewhere has its writers elsewhere. */
	if (s->content.mapping != s->inode + bpf_core_field_offset(struct inode, i_data))
		return false;
	return magic == EXT4_SUPER_MAGIC || magic == XFS_SUPER_MAGIC || magic == F2FS_SUPER_MAGIC ||
	       magic == SQUASHFS_MAGIC || magic == EROFS_SUPER_MAGIC_V1;
}

/*
 * What must be the same for it to be the same inode: nothing more (STASH_NO_MOUNT), or
 * the mount; 0 where there is no telling.
 */
static __always_inline u64 stash__anchor(const struct scratch *s, u64 file)
{
	u64 mount;

	if ((s->key.generation && s->stamps.ctime_nsec) || s->sb == held_sb)
		return STASH_NO_MOUNT;
	if (!bpf_core_field_exists(struct mount, mnt_id_unique))
		return 0;
	mount = READ(struct file, file, f_path.mnt) - bpf_core_field_offset(struct mount, mnt);
	return READ(struct mount, mount, mnt_id_unique);
}

static __always_inline bool stash__is_old(const struct stamps *stamps)
{
	/* From 6.1 on (commit c8996c98f703). */
	if (!bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_ktime_get_tai_ns))
		return false;
	return (s64)(bpf_ktime_get_tai_ns() / 1000000000) - tai_offset - (s64)stamps->ctime_sec >=
	       STASH_OLD_SEC;
}

/*
 * Keeps the identity in the record, which was read while nobody had the file open for
 * writing, and the stamps were these before and after. scratch.known: stash__find said so.
 */
__noinline int stash__keep(u32 slot)
{
	struct scratch *s = scratch__get(slot);
	const struct perfstamp_identity *id;
	u64 now;

	if (!s || !s->anchor || !stash__is_for(s))
		return 0;
	now = s->map.record.time_ns;
	if (!s->known) {
		__builtin_memset(&s->entry, 0, sizeof(s->entry));
		s->entry.stamps = s->stamps;
		s->entry.anchor = s->anchor;
		s->entry.since_ns = now;
		s->entry.settled = stash__is_old(&s->stamps);
	} else {
		if (now - s->entry.since_ns < STASH_QUIET_NS)
			return 0;
		s->entry.settled = 1;
	}
	id = &s->map.identity;
	s->entry.reason = id->reason;
	s->entry.build_id_size = id->build_id_size;
	s->entry.cookie_size = id->cookie_size;
	__builtin_memcpy(s->entry.build_id, id->build_id, sizeof(id->build_id));
	__builtin_memcpy(s->entry.cookie, id->cookie, sizeof(id->cookie));
	s->entry.check = stash__check(s);
	bpf_map_update_elem(&stash, &s->key, &s->entry, BPF_ANY);
	return 0;
}

/* Puts what stash__find found into the record. */
static __always_inline void stash__serve(struct scratch *s)
{
	struct perfstamp_identity *id = &s->map.identity;

	id->source = PERFSTAMP_SOURCE_STASH;
	id->reason = s->entry.reason;
	id->build_id_size = s->entry.build_id_size;
	id->cookie_size = s->entry.cookie_size;
	__builtin_memcpy(id->build_id, s->entry.build_id, sizeof(id->build_id));
	__builtin_memcpy(id->cookie, s->entry.cookie, sizeof(id->cookie));
}

#endif
