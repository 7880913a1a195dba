/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stash: a cache of identities by inode. An entry is used only if the content has
 * provably not changed since it was read, even if its pages have been evicted. Knows
 * inodes; does not know what an identity consists of.
 *
 * The proof. A writer has the file open for writing (i_writecount), and the kernel sets the
 * inode's ctime before it changes the content. Users cannot set ctime. So if nobody has the
 * file open for writing, and the ctime is then unchanged, the content is unchanged, unless
 * it changed twice within one tick of the clock. To exclude that, an identity is cached
 * only if it was read some time after the ctime: by the clock that sets ctimes, or because
 * the same ctime was seen before (STASH_QUIET_NS). The time is long enough for a leap
 * second and for the timestamp granularity of every file system below.
 *
 * Only some file systems guarantee this. tmpfs does not set ctime when memory that was read
 * through a shared mapping is later written through it. On btrfs, inodes of two subvolumes
 * have equal device and inode numbers. On network file systems and FUSE, content changes
 * without this kernel's knowledge.
 *
 * Device, number, generation (which is random) and ctime identify an inode that the kernel
 * created. Tools that create file system images give each image the same numbers and times.
 * There, the mount must be the same as well, or the file system must be the one of the
 * recorder's root, which cannot be unmounted.
 *
 * Whoever may write to a file can also exchange its extents with another file's, which sets
 * no time (EXT4_IOC_MOVE_EXT, XFS_IOC_SWAPEXT). So only files of root are cached, to which
 * nobody else may write. A file system in a file or on a server can be changed through that
 * file or server, so files on loop and network block devices are not cached.
 *
 * If the clock is set back, a ctime can repeat: user space then invalidates all entries.
 *
 * Not detected: changes that root makes in other ways (writes to the block device below a
 * mounted file system, exchanged extents, XFS's interface for backup programs that changes
 * no timestamp), and writes between the moment when the clock is set back and the moment
 * when user space has invalidated the entries.
 */
#ifndef PERFSTAMP_BPF_STASH_H
#define PERFSTAMP_BPF_STASH_H

#include "bpf/scratch.h"
#include "bpf/share.h"

#define STASH_QUIET_NS 2000000000ull
#define STASH_OLD_SEC 64 /* by the wall clock, which can be stepped */

/* include/uapi/linux/magic.h; ext2 and ext3 have the same. */
#define EXT4_SUPER_MAGIC 0xef53
#define F2FS_SUPER_MAGIC 0xf2f52010
#define XFS_SUPER_MAGIC 0x58465342
/* Read-only file systems. */
#define SQUASHFS_MAGIC 0x73717368
#define EROFS_SUPER_MAGIC_V1 0xe0f5e1e2

/* include/uapi/linux/major.h; the major numbers are the same in all kernels. */
#define LOOP_MAJOR 7
#define NBD_MAJOR 43

/* Bits of i_mode. With an ACL, the bits of the group are the ACL's mask. */
#define WRITABLE_BY_OTHERS 022

#define STASH_NO_MOUNT 1 /* unique mount ids are above 2^31 */

/* Bytes at the start of struct inode that contain the fields that are read, on most kernels. */
#define INODE_FRONT 136
#define INODE_READ(s, field) FRONT_READ((s)->raw, INODE_FRONT, struct inode, (s)->inode, field)

/* CLOCK_TAI minus CLOCK_REALTIME, in seconds; user space sets it before loading. */
const volatile __s64 tai_offset = 0;

/* struct super_block of the recorder's root. Set by locate_direct_map. */
__u64 held_sb;

/* Entries of another epoch are ignored. User space begins a new epoch to invalidate all entries. */
__u64 stash_epoch;

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 8192); /* user space raises it on large machines */
	__type(key, struct stash_key);
	__type(value, struct stash_entry);
} stash SEC(".maps");

/* Whether the file is open for writing. Must be called before the stamps are read. */
static __always_inline bool inode__is_writable(u64 inode)
{
	u64 mapping = inode + bpf_core_field_offset(struct inode, i_data);

	return (s32)READ(struct inode, inode, i_writecount.counter) > 0 ||
	       (s32)READ(struct address_space, mapping, i_mmap_writable.counter) > 0;
}

/* Copies the front of the inode. Must be called before INODE_READ. */
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
		/* Bit 31 is I_CTIME_QUERIED, since 6.13. */
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
 * A checksum of the entry and its key. The map can reuse an entry for another inode
 * while it is copied; the checksum detects such a mixture. It includes the address of
 * the super block, so that another file system on the same device does not match.
 */
static __always_inline u64 stash__check(const struct scratch *s)
{
	const u64 *words = (const u64 *)&s->entry;
	u64 hash = (s->key.ino ^ s->sb ^ ((u64)s->key.generation << 32 | s->key.dev)) + stash_epoch;
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

/* Copies the inode's entry. Returns 1, or 0 if none has these stamps. */
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

/* Whether the proof above applies to the inode, whose front has been copied. */
static __always_inline bool stash__is_for(const struct scratch *s)
{
	u64 magic = READ(struct super_block, s->sb, s_magic);
	u32 major = s->key.dev >> MINOR_BITS;

	if (INODE_READ(s, i_uid.val) || INODE_READ(s, i_mode) & WRITABLE_BY_OTHERS)
		return false;
	if (major == LOOP_MAJOR || major == NBD_MAJOR)
		return false;

	/* If the content's pages belong to another inode, its writers are counted there. */
	if (s->content.mapping != s->inode + bpf_core_field_offset(struct inode, i_data))
		return false;
	return magic == EXT4_SUPER_MAGIC || magic == XFS_SUPER_MAGIC || magic == F2FS_SUPER_MAGIC ||
	       magic == SQUASHFS_MAGIC || magic == EROFS_SUPER_MAGIC_V1;
}

/*
 * Additional part of the inode's key: none (STASH_NO_MOUNT) or the id of its mount. Returns
 * 0 if the inode cannot be identified.
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
	/* Since 6.1 (commit c8996c98f703). */
	if (!bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_ktime_get_tai_ns))
		return false;
	return (s64)(bpf_ktime_get_tai_ns() / 1000000000) - tai_offset - (s64)stamps->ctime_sec >=
	       STASH_OLD_SEC;
}

/*
 * Caches the identity in the record. The caller has read it while nobody had the file
 * open for writing, and the stamps were equal before and after. scratch.known is the
 * result of stash__find.
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
		if (!share__keep(now))
			return 0;
		__builtin_memset(&s->entry, 0, sizeof(s->entry));
		s->entry.stamps = s->stamps;
		s->entry.anchor = s->anchor;
		s->entry.since_ns = now;
		s->entry.settled = stash__is_old(&s->stamps);
	} else {
		/* Another CPU may have added it slightly later than @now. */
		if ((s64)(now - s->entry.since_ns) < (s64)STASH_QUIET_NS)
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

/* Copies the entry that stash__find found into the record. */
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
