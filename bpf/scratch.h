/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Working memory of the programs. A record is too large for the BPF stack. The steps of
 * a walk are global functions, which the verifier checks once each, and which accept
 * only scalars (pointers to memory: since 5.12). They share their state here.
 *
 * There is a slot for each context that can interrupt another one on the same CPU: a
 * hook may preempt the snapshot's iterator. Programs of one slot do not interrupt each
 * other: kprobes run with preemption off; the other kinds have a recursion guard, which
 * drops and counts the inner event.
 */
#ifndef PERFSTAMP_BPF_SCRATCH_H
#define PERFSTAMP_BPF_SCRATCH_H

#include "bpf/read.h"
#include "perfstamp/cookie.h"
#include "perfstamp/record.h"

#define NAME_MAX 255
#define RAW_SIZE 512
#define HEAD_SIZE PERFSTAMP_COOKIE_CONTENT /* usually has the program headers and the build-id */

enum slot {
	SLOT_HOOK,     /* the rung's own hook */
	SLOT_EXEC,     /* sched_process_exec, on the sys_exit rung */
	SLOT_SNAPSHOT, /* iterators */
	SLOT_COUNT,
};

struct content {
	u64 mapping; /* struct address_space *, or 0 */
	u64 size;    /* bytes */
	/* The page of the last lookup: headers and note are usually in the same page. */
	u64 page_index;
	u64 page_addr; /* kernel address, or 0 */
	u64 folio;
	u64 folio_index;
	u64 missing_index; /* the last page that was not resident */
	u32 head_size;     /* bytes of scratch.head that have been read */
	u32 pad;
};

/* The fields that show a change of content (stash.h). The struct has no padding. */
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
	u64 anchor;   /* mount of the inode, or STASH_NO_MOUNT */
	u64 check;    /* checksum of the other fields and the key */
	u8 settled;   /* old enough to be used */
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
	u32 notes_left; /* notes that may still be read */
	u32 is_64;
	u32 reason;
	u32 pad;
};

struct path_walk {
	u64 dentry;
	u64 mnt;
	u64 mnt_root; /* dentry at the root of mnt */
	u64 root_dentry;
	u64 root_mnt;
	u32 pos; /* offset of the path's first byte in path_work */
	u32 cut;
};

/* See memory.h. */
struct memory_walk {
	u64 mm;
	u64 next;  /* address at which the next step begins */
	u64 last;  /* the last address of the range that was found */
	u64 entry; /* entry of the tree */
	u64 slot;  /* offset of the found entry in the copy of a node */
	u64 vma;
	u64 pages; /* sys_exit rung: number of executable mappings found */
	u32 ended;
	u32 pad;
};

struct scratch {
	u64 vma;
	u64 task;
	/* sys_exit rung: */
	u64 range_pos; /* the next address to look up */
	u64 range_end;
	s32 range_failed; /* what the last lookup returned */
	u32 range_data;   /* a mapping that was found is not executable */
	u32 range_all_code;
	u32 range_partial;
	u64 inode;
	u64 sb;
	u64 anchor;               /* see stash.h */
	struct stamps stamps;     /* before reading the content */
	struct stamps stamps_now; /* after it */
	struct stash_key key;
	struct stash_entry entry;
	u32 known;                        /* the stash's entry has these stamps */
	u32 writable;                     /* the file was open for writing */
	u32 readings;                     /* number of readings so far */
	u32 equal;                        /* number of equal readings in a row */
	struct perfstamp_identity before; /* result of the last reading */
	struct content content;
	struct elf_walk elf;
	struct path_walk path;
	struct memory_walk walk;
	u8 bytes[128]; /* the last bytes read */
	u64 hash[2];   /* the cookie's state */
	/*
	 * A copy of the front of a kernel struct: reading it at once costs about as
	 * much as reading one field.
	 */
	u8 raw[RAW_SIZE] __attribute__((aligned(8)));
	union {
		/* The start of the content, zero-padded, and room for reads past its end. */
		u8 head[HEAD_SIZE + 64];
		u64 words[PERFSTAMP_COOKIE_WORDS];
		char path_work[PERFSTAMP_PATH_MAX + NAME_MAX + 1]; /* path, built backwards */
	};
	struct perfstamp_map map;
	char path_buf[PERFSTAMP_PATH_MAX + 8]; /* holds map.path */
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
