/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stores the times of a file whose content user space will read later, because the content could
 * not be read here or is to be captured. User space compares these times with the file's times at
 * that moment: see struct perfstamp_witness, and user/event/witness.h for the proof. Does not know
 * the content.
 */
#ifndef PERFSTAMP_BPF_WITNESS_H
#define PERFSTAMP_BPF_WITNESS_H

#include "bpf/stash.h"

/* include/uapi/linux/magic.h */
#define BTRFS_SUPER_MAGIC 0x9123683e
#define TMPFS_MAGIC 0x01021994

#define CTIME_QUERIED_BIT 31 /* I_CTIME_QUERIED, since 6.13 (commit 4e40eff0b573) */

/*
 * The kernel sets file times to the time of the last timer tick. A program in a hook cannot
 * read that clock (bpf_ktime_get_coarse_ns() could wait for ever in an NMI), so it is
 * assumed to be late by the longest delay of a tick on a virtual CPU that has to wait.
 */
#define WITNESS_LATE_NS 100000000ull

/*
 * Granularity of the file system's times in ns, or 0 if it is not known: other file systems
 * round times in their own ways (FAT), or get them from elsewhere (NFS, FUSE). For
 * read-only file systems the times do not matter.
 */
static __always_inline u32 witness__granularity(u64 sb)
{
	u64 magic = READ(struct super_block, sb, s_magic);

	if (magic != EXT4_SUPER_MAGIC && magic != XFS_SUPER_MAGIC && magic != F2FS_SUPER_MAGIC &&
		magic != BTRFS_SUPER_MAGIC && magic != TMPFS_MAGIC && magic != SQUASHFS_MAGIC &&
		magic != EROFS_SUPER_MAGIC_V1)
		return 0;
	return READ(struct super_block, sb, s_time_gran);
}

/*
 * Stores the witness of scratch.inode in the record. The clock is read first, so that a later write
 * never gets an older time. Writers are checked last: a writer that set a time before the times
 * were read, and still writes, has the file open for writing.
 */
__noinline int witness__take(u32 slot)
{
	struct scratch *s = scratch__get(slot);
	struct perfstamp_witness *witness;

	if (!s)
		return 0;
	witness = &s->map.witness;
	witness->clock_ns = bpf_ktime_get_ns() - WITNESS_LATE_NS;
	inode__copy(s);
	inode__stamps(s, &s->stamps_now);
	witness->mtime_sec = s->stamps_now.mtime_sec;
	witness->ctime_sec = s->stamps_now.ctime_sec;
	witness->mtime_nsec = s->stamps_now.mtime_nsec;
	witness->ctime_nsec = s->stamps_now.ctime_nsec;
	witness->granularity_ns = witness__granularity(s->sb);
	witness->flags = PERFSTAMP_WITNESS_TAKEN;
	if (bpf_core_field_exists(struct inode, i_ctime_nsec) &&
		INODE_READ(s, i_ctime_nsec) >> CTIME_QUERIED_BIT & 1)
		witness->flags |= PERFSTAMP_WITNESS_QUERIED;
	if (inode__is_writable(s->inode))
		witness->flags |= PERFSTAMP_WITNESS_WRITABLE;
	else if ((s32)READ(struct inode, s->inode, i_writecount.counter) < 0)
		witness->flags |= PERFSTAMP_WITNESS_DENIED;
	return 0;
}

#endif
