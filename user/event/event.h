/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One event from any source: the live BPF ring, live perf rings, the start-up snapshot or a
 * perf.data file. The model and all views know only this. It does no I/O and owns nothing:
 * every pointer in a struct event points into the record from which it was decoded, and is
 * valid until the next event is read from the source.
 */
#ifndef PERFSTAMP_EVENT_EVENT_H
#define PERFSTAMP_EVENT_EVENT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfstamp/record.h"

enum event_kind {
	EVENT_OTHER, /* a record that the model does not need: its header and .raw */
	EVENT_MAP,   /* PERF_RECORD_MMAP, MMAP2, MMAP3, or ours */
	EVENT_COMM,
	EVENT_FORK,
	EVENT_EXIT,
	EVENT_LOST,
	EVENT_SAMPLE,
	EVENT_CGROUP,
	EVENT_NAMESPACES,
	EVENT_KSYMBOL,
	EVENT_BPF,
	EVENT_MODULE, /* MMAP2, KSYMBOL or note with our module extension, or PERF_RECORD_MODULE */
	EVENT_CODE,   /* note or KSYMBOL with our code extension */
	EVENT_CHECK,  /* note: all threads were recorded again */
	EVENT_NOTE,   /* a note that later records need (notes.h) */
	EVENT_FINISHED_ROUND,
};

struct event_map {
	uint64_t addr;
	uint64_t len;   /* bytes */
	uint64_t pgoff; /* bytes */
	uint32_t prot;
	uint32_t map_flags;
	uint16_t flags;  /* PERFSTAMP_MAP_*; 0 if the record has no extension */
	bool kernel;     /* kernel or module text: PERF_RECORD_MISC_KERNEL */
	bool executable; /* false for a data mapping (PERF_RECORD_MISC_MMAP_DATA) */
	bool stamped;    /* the record has our extension, or refers to it */
	bool unresolved; /* the record refers to an extension that the file does not have */
	/*
	 * This content is written with the cookie as its build-id for perf
	 * (perfdata/write/mixed_paths.h).
	 */
	bool cookie_for_perf;
	/*
	 * Fields that the record does not have are 0: a plain MMAP2 with a build-id has no dev
	 * and ino, one without our extension has no file_size, cgroup_id and mnt_ns. Without a
	 * build-id, build_id_size is 0, .source is NONE, and .reason has the reason (UNKNOWN in
	 * other recorders' records).
	 */
	struct perfstamp_identity identity;
	const char *path; /* NUL-terminated; any bytes but NUL */
	/* Set only in a live record whose content has not been read yet; otherwise all 0. */
	struct perfstamp_witness witness;
};

struct event_comm {
	const char *comm;
	bool exec;
};

struct event_fork { /* also of EVENT_EXIT */
	uint32_t ppid;
	uint32_t ptid;
};

struct event_lost {
	uint64_t id;
	uint64_t lost; /* records, or samples for PERF_RECORD_LOST_SAMPLES */
};

/*
 * The registers of user space and a copy of its stack, as in the record: one word for each bit of
 * .regs, from the lowest bit on, then the size of the copy, then the copy.
 */
struct event_user_stack {
	const uint8_t *bytes; /* NULL: the sample has none */
	size_t size;
	size_t stack;      /* offset of the copy in .bytes */
	size_t stack_size; /* bytes of the copy that are filled */
	uint64_t regs;     /* PERF_REG_* of the architecture */
	uint64_t abi;      /* PERF_SAMPLE_REGS_ABI_* */
	bool swap;         /* .bytes are in the other byte order */
};

/*
 * The branch records of a sample, newest first, as in the record. Each has .words words of 8 bytes;
 * the first three are from, to and flags.
 */
struct event_branches {
	const uint8_t *bytes;
	uint64_t n;
	size_t words;
	bool swap; /* .bytes are in the other byte order */
};

/*
 * The counts in a sample (PERF_SAMPLE_READ), as in the record: the count of its own event, or the
 * counts of all events of its group. Each count has .words words of 8 bytes. The first word is the
 * value, and the word at .id is the id of the event that was counted.
 */
struct event_counts {
	const uint8_t *bytes; /* NULL: the sample has none */
	uint64_t n;
	size_t words;
	size_t id; /* 0: it has the id of the sample */
	bool swap; /* .bytes are in the other byte order */
};

struct event_sample {
	uint64_t ip;
	uint64_t id; /* id of the sampled event */
	uint64_t period;
	uint64_t addr;
	uint64_t cgroup;
	uint64_t n_callchain;
	const uint64_t *callchain; /* with PERF_CONTEXT_* markers; an aligned copy */
	size_t callchain_at;       /* offset of its count in .raw; 0: no call chain */
	struct event_counts counts;
	struct event_branches branches;
	struct event_user_stack user;
};

struct event_cgroup {
	uint64_t id;
	const char *path;
	/*
	 * Lines of key=value about the container, from our extension, without a NUL at their end;
	 * NULL if there are none.
	 */
	const char *about;
	size_t about_size; /* bytes */
};

struct event_namespaces {
	uint64_t n;
	const struct perf_ns_link_info
		*links; /* index: NET 0, UTS 1, IPC 2, PID 3, USER 4, MNT 5, CGROUP 6 */
};

struct event_ksymbol {
	uint64_t addr;
	uint32_t len;
	uint16_t ksym_type;
	uint16_t flags;
	const char *name;
};

struct event_bpf {
	uint16_t type;
	uint16_t flags;
	uint32_t id;
	uint8_t tag[8];
};

/* An event of a kernel module. */
struct event_module {
	uint16_t flags; /* PERFSTAMP_MODULE_* */
	struct perfstamp_module_state state;
	/*
	 * In an MMAP2, which is a LOAD that perf also reads: the file, with its name for perf. In a
	 * KSYMBOL: NULL or the module's name. In a MODULE: NULL.
	 */
	const char *path;
};

/* Bytes that a process wrote about code made at run time (docs/format.md). */
struct event_code {
	uint32_t pid;
	uint32_t stream;
	uint8_t kind;   /* enum perfstamp_code_kind */
	uint16_t flags; /* PERFSTAMP_CODE_* */
	uint64_t offset;
	uint64_t since_ns;
	uint64_t seen_ns;
	int64_t clock_ns;
	const void *bytes; /* any bytes */
	uint32_t size;
};

/*
 * After a loss, all existing threads were recorded again between .since_ns and the event's
 * time. Other threads have ended, or were ending (model/task/life.h).
 */
struct event_check {
	uint64_t since_ns;
};

/* Which extension it has, by its magic. */
struct event_note {
	uint32_t magic;
	uint16_t number; /* number by which records refer to it; 0: it is for the next record */
};

struct event {
	enum event_kind kind;
	uint32_t type;    /* PERF_RECORD_* or the user type */
	uint16_t misc;    /* PERF_RECORD_MISC_* */
	uint64_t time_ns; /* 0 if the record has no time: synthesized */
	uint32_t pid;     /* pid, tid and cpu: UINT32_MAX where not known */
	uint32_t tid;
	uint32_t cpu;
	uint64_t offset; /* bytes from the start of the file; 0 when live */
	const void *raw; /* the record in the file's own byte order */
	size_t raw_size;
	size_t extra; /* bytes before the trailer that were not decoded: mostly padding */
	union {
		struct event_map map;
		struct event_comm comm;
		struct event_fork fork;
		struct event_lost lost;
		struct event_sample sample;
		struct event_cgroup cgroup;
		struct event_namespaces namespaces;
		struct event_ksymbol ksymbol;
		struct event_bpf bpf;
		struct event_module module;
		struct event_code code;
		struct event_check check;
		struct event_note note;
	};
};

/* An event of the kernel itself: without a process, a known CPU or a time. */
static inline struct event event__of_kernel(enum event_kind kind, uint32_t type)
{
	return (struct event){
		.kind = kind,
		.type = type,
		.misc = PERF_RECORD_MISC_KERNEL,
		.pid = UINT32_MAX,
		.cpu = UINT32_MAX,
	};
}

/* Returns 0 if the time is not known. perf also writes all ones for that. */
static inline uint64_t event__time(const struct event *event)
{
	return event->time_ns == UINT64_MAX ? 0 : event->time_ns;
}

#endif
