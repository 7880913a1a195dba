/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The only user of the ring buffer. Wakes the reader when the ring is filled to
 * a threshold, or for what cannot wait, not for each record: a wake-up costs
 * twenty times a record.
 */
#ifndef PERFSTAMP_BPF_EMIT_H
#define PERFSTAMP_BPF_EMIT_H

#include "bpf/counters.h"
#include "bpf/scratch.h"

/* linux/bpf.h of older build machines lacks none of these; values are ABI. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096); /* bytes; user space sets it before loading */
} ring SEC(".maps");

const volatile __u64 wakeup_bytes = 1;

/*
 * Whether user space is to complete the identity (completion__is_wanted): it can do
 * so only while the mapping lives, which may not be for long.
 */
static __always_inline bool emit__is_urgent(const struct scratch *s)
{
	u8 reason = s->map.identity.reason;

	if (s->map.record.flags & PERFSTAMP_MAP_PENDING)
		return false;
	return reason == PERFSTAMP_REASON_NOT_RESIDENT || reason == PERFSTAMP_REASON_IO_ERROR ||
	       reason == PERFSTAMP_REASON_LIMIT;
}

/*
 * The reader of an idle machine sleeps for long (ROUND_QUIET_MS of user/record/rounds.h),
 * and what it looks up by itself, as a cgroup's path, may be gone by then: the first
 * record of a second wakes it. Of two CPUs at once both may.
 */
#define WAKEUP_NS 1000000000ull

static u64 woken_ns;

static __always_inline bool emit__is_first(u64 now_ns)
{
	if (now_ns - woken_ns < WAKEUP_NS)
		return false;
	woken_ns = now_ns;
	return true;
}

/*
 * What is mapped is to be copied while the mapping lives (record --capture), so the first
 * one of a file wakes, too. Of two files with one place each wakes whenever they take turns:
 * the table forgets, and never takes a new file for an old one unless 32 bits agree.
 */
#define FILES_SEEN 4096

const volatile bool wakes_for_files = false;
static u32 files_seen[FILES_SEEN];

static __always_inline bool emit__is_new_file(const struct perfstamp_map *map)
{
	const struct perfstamp_identity *identity = &map->identity;
	u64 hash = identity->ino * 0x9e3779b97f4a7c15ull;
	u32 tag, at;

	if (!wakes_for_files || !identity->ino || map->record.flags & PERFSTAMP_MAP_PENDING)
		return false;
	hash ^= (identity->ino_generation + ((u64)identity->dev_major << 52) +
			((u64)identity->dev_minor << 32)) *
		0xc4ceb9fe1a85ec53ull;
	hash ^= hash >> 29;
	tag = (u32)(hash >> 32) | 1;
	at = hash % FILES_SEEN;
	if (files_seen[at] == tag)
		return false;
	files_seen[at] = tag;
	return true;
}

/* Hands the record in the slot to the ring. */
__noinline int emit__ring(u32 slot)
{
	struct scratch *s = scratch__get(slot);
	u64 size, flags;

	if (!s)
		return 0;
	size = s->map.record.size;
	if (size < sizeof(struct perfstamp_record) ||
		size > sizeof(struct perfstamp_map) + PERFSTAMP_PATH_MAX)
		return 0;
	flags = emit__is_urgent(s) || emit__is_new_file(&s->map) ||
				emit__is_first(s->map.record.time_ns) ||
				bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA) + size >= wakeup_bytes
			? BPF_RB_FORCE_WAKEUP
			: BPF_RB_NO_WAKEUP;
	counter__add(bpf_ringbuf_output(&ring, &s->map, size, flags) ? COUNTER_RING_FULL
								     : COUNTER_RECORDS);
	return 0;
}

/* Hands the record in the slot to an iterator's reader, which cannot lose it. */
static __always_inline int emit__seq(u32 slot, struct seq_file *seq)
{
	struct scratch *s = scratch__get(slot);
	u64 size;

	if (!s)
		return 0;
	size = s->map.record.size;
	if (size < sizeof(struct perfstamp_record) ||
		size > sizeof(struct perfstamp_map) + PERFSTAMP_PATH_MAX)
		return 0;
	bpf_seq_write(seq, &s->map, size);
	return 0;
}

#endif
