/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The only code that writes to the ring buffer. It wakes the reader when the ring is
 * filled to a threshold or when a record is urgent, not for each record: a wake-up
 * costs as much as twenty records.
 */
#ifndef PERFSTAMP_BPF_EMIT_H
#define PERFSTAMP_BPF_EMIT_H

#include "bpf/counters.h"
#include "bpf/scratch.h"
#include "bpf/share.h"

/* Values of linux/bpf.h, which are ABI. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096); /* bytes; user space sets it before loading */
} ring SEC(".maps");

const volatile __u64 wakeup_bytes = 1;

/*
 * Whether user space must complete the identity (completion__is_wanted). User space can read the
 * content only while the mapping exists, which may be a short time.
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
 * On an idle machine the reader sleeps for seconds (ROUND_QUIET_MS in
 * user/record/rounds/rounds.h), and objects that it looks up later, such as a cgroup's path,
 * may be gone by then. So the first record of a second wakes it. Two CPUs may both do
 * so at once.
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
 * record --capture copies files while they are mapped, so the first mapping of a file wakes the
 * reader as well. Two files that share an entry of the table replace each other, which only causes
 * more wake-ups. A new file is missed only if 32 bits of its hash are equal to those of the file
 * before it.
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

static __always_inline bool emit__has_share(u64 size, u64 used)
{
	/* Usually true; reading the positions costs two more calls. */
	if (share__is_for_all(size, used))
		return true;
	return share__take(size, bpf_ringbuf_query(&ring, BPF_RB_CONS_POS),
		bpf_ringbuf_query(&ring, BPF_RB_PROD_POS));
}

/*
 * Counts a record that was dropped because the ring is full, or the cgroup's share of it is
 * used. A second record of a mapping is no loss of a mapping: user space reads the identity.
 */
static __always_inline void emit__lost(const struct scratch *s)
{
	if (s->map.record.flags & PERFSTAMP_MAP_AGAIN)
		return;
	counter__add(COUNTER_RING_FULL);
	share__lost();
}

/* Writes the record in the slot to the ring. */
__noinline int emit__ring(u32 slot)
{
	struct scratch *s = scratch__get(slot);
	u64 size, used, flags;

	if (!s)
		return 0;
	size = s->map.record.size;
	if (size < sizeof(struct perfstamp_record) ||
		size > sizeof(struct perfstamp_map) + PERFSTAMP_PATH_MAX)
		return 0;
	used = bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA);
	if (!emit__has_share(size, used)) {
		emit__lost(s);
		return 0;
	}
	flags = emit__is_urgent(s) || emit__is_new_file(&s->map) ||
				emit__is_first(s->map.record.time_ns) || used + size >= wakeup_bytes
			? BPF_RB_FORCE_WAKEUP
			: BPF_RB_NO_WAKEUP;
	if (bpf_ringbuf_output(&ring, &s->map, size, flags))
		emit__lost(s);
	else
		counter__add(COUNTER_RECORDS);
	return 0;
}

/*
 * Asks user space to read the mappings of process @pid, because one was missed. This works
 * while the process exists. The reader is woken at most every 10 ms, since a process can
 * cause this as often as it likes.
 */
#define MISSED_WAKEUP_NS 10000000ull

static u64 missed_ns;

static __always_inline void emit__missed(u32 pid)
{
	struct perfstamp_record missed = {
		.type = PERFSTAMP_RECORD_MISSED,
		.size = sizeof(missed),
		.time_ns = bpf_ktime_get_ns(),
		.pid = pid,
	};
	u64 flags = BPF_RB_NO_WAKEUP;

	if (missed.time_ns - missed_ns >= MISSED_WAKEUP_NS) {
		missed_ns = missed.time_ns;
		flags = BPF_RB_FORCE_WAKEUP;
	}
	/* If there is no room, the counters still show the loss. */
	if (emit__has_share(sizeof(missed), bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA)))
		bpf_ringbuf_output(&ring, &missed, sizeof(missed), flags);
}

/* Writes the record in the slot to an iterator's reader, which cannot lose it. */
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
