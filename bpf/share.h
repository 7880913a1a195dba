/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Divides the ring among cgroups, so that a container that maps faster than the recorder
 * reads does not cause losses for others. The first half of the ring is for all. Unread
 * bytes in the second half are summed by cgroup: a cgroup at level 1 below the root may use
 * a quarter of it, at level 2 an eighth, and so on. Each level is checked, so that a
 * container does not get more by making cgroups below its own.
 *
 * The same rule limits how many entries a cgroup may add to the stash in a minute. New
 * entries replace the oldest ones, so a container that maps new files without end would
 * otherwise evict the entries of others.
 *
 * Before Linux 5.15 neither is divided, because these programs may not read the ancestors
 * of a task's cgroup.
 *
 * Tasks in the root cgroup have no share: only root can put them there. On hosts with
 * cgroup v1 all tasks are in it.
 *
 * Knows the ring's positions, not what is in it, nor what is in the stash.
 */
#ifndef PERFSTAMP_BPF_SHARE_H
#define PERFSTAMP_BPF_SHARE_H

#include "bpf/kernel.h"

#define SHARE_LEVELS 4 /* systemd's kubepods.slice: class, pod, container */

const volatile __u64 divided_bytes = 0;   /* size of the ring; 0: not divided */
const volatile __u64 divided_entries = 0; /* entries of the stash; 0: not divided */

#define SHARE_KEPT_NS 60000000000ll /* the period of a cgroup's share of entries */

/*
 * The unread bytes of a cgroup in the ring. Their upper limit is before + after. When the reader
 * reaches .position, it has read all bytes counted in .before. Then .after becomes .before, and the
 * writer's position becomes .position. When the reader reaches .last, both sums become 0, so that
 * an earlier flood causes no refusals.
 */
struct share {
	u64 position; /* in the ring */
	u64 last;     /* end of the newest bytes, without concurrent additions */
	u64 before;   /* bytes added before the position */
	u64 after;
	u64 kept;       /* entries added to the stash */
	u64 kept_since; /* CLOCK_MONOTONIC, ns */
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 2048); /* user space raises it on large machines */
	__type(key, u64);          /* cgroup id */
	__type(value, struct share);
} shares SEC(".maps");

/* Number of lost records of each cgroup. User space subtracts what it has read. */
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

/* Returns the cgroup's share, with its sums updated to the positions @read and @written. */
static __always_inline struct share *share__of(u64 cgroup, u64 read, u64 written)
{
	struct share *share = share__get(cgroup);

	/* Two CPUs may do this at the same time: the sums are then too small for a moment. */
	if (share && read >= share->position) {
		share->before = read >= share->last ? 0 : share->after;
		share->after = 0;
		share->position = written;
	}
	return share;
}

/*
 * Whether @size bytes fit into the first half of the ring, which is for all, if @used are unread.
 */
static __always_inline bool share__is_for_all(u64 size, u64 used)
{
	return !divided_bytes || used + size <= divided_bytes / 2;
}

/*
 * Whether the current task may add @size bytes to the ring's second half. @read and @written are
 * the ring's positions.
 */
static __always_inline bool share__take(u64 size, u64 read, u64 written)
{
	u64 part = divided_bytes / 2, cgroup;
	struct share *share;
	int level;

	for (level = 1; level <= SHARE_LEVELS; level++) {
		cgroup = bpf_get_current_ancestor_cgroup_id(level);
		if (!cgroup)
			break;
		share = share__of(cgroup, read, written);
		if (share && share->before + share->after + size > part >> (level + 1))
			return false;
	}
	/*
	 * The bytes are added only after all checks, so that a refused record does not use up the
	 * share of the levels above.
	 */
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
		/* Another CPU may have begun the minute slightly later than @now_ns. */
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
