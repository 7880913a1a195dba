/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Working memory of the programs. A record is too large for the BPF stack, and
 * the steps of a walk are global functions, which the verifier checks once each
 * and which take only scalars (pointers to memory: from 5.12 on), so they share
 * their state through here.
 *
 * One slot for each context that can interrupt another on the same CPU: a hook
 * may preempt the snapshot's iterator. No two programs of one slot interrupt
 * each other: kprobes run with preemption off, the other kinds have a
 * recursion guard (which loses the inner event, and counts it).
 */
#ifndef PERFSTAMP_BPF_SCRATCH_H
#define PERFSTAMP_BPF_SCRATCH_H

#include "bpf/read.h"
#include "perfstamp/cookie.h"
#include "perfstamp/record.h"

#define NAME_MAX 255
#define RAW_SIZE 512
#define HEAD_SIZE PERFSTAMP_COOKIE_CONTENT /* program headers and build-id are there, too */

enum slot {
	SLOT_HOOK,     /* the rung's own hook */
	SLOT_EXEC,     /* sched_process_exec, on the sys_exit rung */
	SLOT_SNAPSHOT, /* iterators */
	SLOT_COUNT,
};

struct content {
	u64 mapping; /* struct address_space *, or 0 */
	u64 size;    /* bytes */
	/* The page that was looked up last: headers and note mostly share it. */
	u64 page_index;
	u64 page_addr; /* kernel address, or 0 */
	u64 folio;
	u64 folio_index;
	u64 missing_index; /* the page that was last found not to be resident */
	u32 head_size;     /* how much of scratch.head is read */
	u32 pad;
};

/* What tells that content has changed: stash.h. In memory, and without gaps. */
struct stamps {
	u64 size; /* bytes */
	u64 mtime_sec;
	u64 ctime_sec;
	u32 mtime_nsec;
	u32 ctime_nsec;
};

struct stash_key {
	u32 dev;
	u32 generation;
	u64 ino;
};

struct stash_entry {
	struct stamps stamps;
	u64 since_ns; /* CLOCK_MONOTONIC: when these stamps were first seen */
	u64 anchor;   /* the mount that it is of, or STASH_NO_MOUNT */
	u64 check;    /* of all else, and of the key */
	u8 settled;   /* it can be served */
	u8 reason;
	u8 build_id_size;
	u8 cookie_size;
	u8 build_id[PERFSTAMP_BUILD_ID_MAX];
	u8 cookie[PERFSTAMP_COOKIE_MAX];
	u8 pad[4];
};

struct elf_walk {
	u64 phoff;
	u64 note_start;
	u64 note_pos;
	u64 note_end;
	u32 phnum;
	u32 phentsize;
	u32 note_align;
	u32 notes_left; /* that may still be looked at */
	u32 is_64;
	u32 reason;
	u32 pad;
};

struct path_walk {
	u64 dentry;
	u64 mnt;
	u64 mnt_root; /* dentry that mnt begins with */
	u64 root_dentry;
	u64 root_mnt;
	u32 pos; /* of the path's first byte in path_work */
	u32 cut;
};

struct scratch {
	u64 vma;
	u64 task;
	u64 range_pos; /* sys_exit rung: the address that is looked up next */
	u64 inode;
	u64 sb;
	u64 anchor;               /* see stash.h */
	struct stamps stamps;     /* before the content was read */
	struct stamps stamps_now; /* and after it */
	struct stash_key key;
	struct stash_entry entry;
	u32 known;                        /* the entry is of these stamps */
	u32 writable;                     /* somebody had the file open for writing */
	u32 readings;                     /* of the content, so far */
	u32 equal;                        /* of them, in a row */
	struct perfstamp_identity before; /* what the last one gave */
	struct content content;
	struct elf_walk elf;
	struct path_walk path;
	u8 bytes[128]; /* what was read last */
	u64 hash[2];   /* the cookie's state */
	/*
	 * A copy of a kernel struct, or its front: reading it whole costs about as
	 * much as reading one field.
	 */
	u8 raw[RAW_SIZE] __attribute__((aligned(8)));
	union {
		/* The content's beginning, or zeros; behind it, room to read past its end. */
		u8 head[HEAD_SIZE + 64];
		u64 words[PERFSTAMP_COOKIE_WORDS];
		char path_work[PERFSTAMP_PATH_MAX + NAME_MAX + 1]; /* built from its end */
	};
	struct perfstamp_map map;
	char path_buf[PERFSTAMP_PATH_MAX + 8]; /* is map.path */
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, SLOT_COUNT);
	__type(key, u32);
	__type(value, struct scratch);
} scratch_map SEC(".maps");

static __always_inline struct scratch *scratch__get(u32 slot)
{
	return bpf_map_lookup_elem(&scratch_map, &slot);
}

#endif
