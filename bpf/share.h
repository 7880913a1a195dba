/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shares of the ring by cgroup: what one container maps faster than it is read must not cost others
 * their records. The first half of the ring is for all. What is put into the second half is summed
 * by cgroup, as long as it has not been read: a cgroup at level 1 below the root gets a quarter of
 * it, at level 2 an eighth, and so on. Each level is looked at, so that a container that makes
 * cgroups below its own does not get more, and leaves room to its neighbours.
 *
 * The stash is divided by the same rule: what a cgroup may add to it in a minute. Its oldest
 * entries go for new ones, so that a container which maps new files without end would have those of
 * others read again and again.
 *
 * Before Linux 5.15 neither is divided: programs of this kind may not ask for the cgroups
 * above a task's own.
 *
 * Tasks in the root cgroup have no share: only root can put them there. On hosts with cgroup v1 all
 * tasks are in it.
 *
 * Knows the ring's positions, not what is in it, nor what is in the stash.
 */
#ifndef PERFSTAMP_BPF_SHARE_H
#define PERFSTAMP_BPF_SHARE_H

#include "bpf/kernel.h"

#define SHARE_LEVELS 4 /* systemd's kubepods.slice: class, pod, container */

const volatile __u64 divided_bytes = 0;   /* the ring's size; 0: it is not divided */
const volatile __u64 divided_entries = 0; /* of the stash; the same */

#define SHARE_KEPT_NS 60000000000ll /* in which a cgroup may add its part of them */

/*
 * What has not been read is at most before + after: once the reader has come to the position, all
 * of before has been read, and the next position is where the writer is now. Once the reader has
 * come to the last of it, nothing is left: sums of an earlier flood would refuse what comes next.
 */
struct share {
	u64 position; /* in the ring */
	u64 last;     /* where the newest bytes end, but for what other CPUs put in meanwhile */
	u64 before;   /* bytes that were put in before the position */
	u64 after;
	u64 kept;       /* entries that were added to the stash */
	u64 kept_since; /* CLOCK_MONOTONIC, ns */
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 2048); /* user space raises it on large machines */
	__type(key, u64);          /* cgroup id */
	__type(value, struct share);
} shares SEC(".maps");

/* How many records of each cgroup were lost; user space takes what it has read out of it. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 2048); /* user space raises it on large machines */
	__type(key, u64);          /* cgroup id */
	__type(value, u64);
} lost_by_cgroup SEC(".maps");

static __always_inline struct share *share__get(u64 cgroup)
{
	struct share *share = bpf_map_lookup_elem(&shares, &cgroup);

	if (!share) {
		struct share new = {};

		bpf_map_update_elem(&shares, &cgroup, &new, BPF_NOEXIST);
		share = bpf_map_lookup_elem(&shares, &cgroup);
	}
	return share;
}

/* With its sums for what has been @read and @written. */
static __always_inline struct share *share__of(u64 cgroup, u64 read, u64 written)
{
	struct share *share = share__get(cgroup);

	/* Two CPUs may do so at once: the sums are then too small for a moment. */
	if (share && read >= share->position) {
		share->before = read >= share->last ? 0 : share->after;
		share->after = 0;
		share->position = written;
	}
	return share;
}

/*
 * Whether the current task may put @size bytes into the ring, of which @used are taken and not
 * read; @read and @written are its positions.
 */
static __always_inline bool share__take(u64 size, u64 used, u64 read, u64 written)
{
	u64 part = divided_bytes / 2, cgroup;
	struct share *share;
	int level;

	if (!divided_bytes || used + size <= part)
		return true;
	for (level = 1; level <= SHARE_LEVELS; level++) {
		cgroup = bpf_get_current_ancestor_cgroup_id(level);
		if (!cgroup)
			break;
		share = share__of(cgroup, read, written);
		if (share && share->before + share->after + size > part >> (level + 1))
			return false;
	}
	/* Only now: what one level refuses must not use up the share of those above. */
	for (level = 1; level <= SHARE_LEVELS; level++) {
		cgroup = bpf_get_current_ancestor_cgroup_id(level);
		if (!cgroup)
			break;
		share = bpf_map_lookup_elem(&shares, &cgroup);
		if (!share)
			continue;
		__sync_fetch_and_add(&share->after, size);
		share->last = written + size;
	}
	return true;
}

/* Whether the current task may add an entry to the stash, at @now_ns. */
static __always_inline bool share__keep(u64 now_ns)
{
	struct share *share;
	u64 cgroup;
	int level;

	if (!divided_entries)
		return true;
	for (level = 1; level <= SHARE_LEVELS; level++) {
		cgroup = bpf_get_current_ancestor_cgroup_id(level);
		if (!cgroup)
			break;
		share = share__get(cgroup);
		if (!share)
			continue;
		/* Another CPU may have begun it a little later than now. */
		if ((s64)(now_ns - share->kept_since) >= SHARE_KEPT_NS) {
			share->kept = 0;
			share->kept_since = now_ns;
		}
		if (share->kept >= divided_entries >> (level + 1))
			return false;
	}
	for (level = 1; level <= SHARE_LEVELS; level++) {
		cgroup = bpf_get_current_ancestor_cgroup_id(level);
		if (!cgroup)
			break;
		share = bpf_map_lookup_elem(&shares, &cgroup);
		if (share)
			__sync_fetch_and_add(&share->kept, 1);
	}
	return true;
}

static __always_inline void share__lost(void)
{
	u64 cgroup = bpf_get_current_cgroup_id(), one = 1, *lost;

	lost = bpf_map_lookup_elem(&lost_by_cgroup, &cgroup);
	if (lost)
		__sync_fetch_and_add(lost, 1);
	else
		bpf_map_update_elem(&lost_by_cgroup, &cgroup, &one, BPF_NOEXIST);
}

#endif
