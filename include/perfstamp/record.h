/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * The records that perfstamp's kernel side hands to its user side, and the
 * part of them that is kept in perf.data.
 *
 * This header is only the format. BPF programs, user space and the kernel
 * patch include it, so it uses nothing but fixed-width types, in the byte
 * order of the machine that made the record. docs/format.md describes it for
 * those who read it with other tools.
 *
 * A reader skips a record whose type it does not know by its size, and trailing
 * bytes of a known record that it does not know.
 */
#ifndef PERFSTAMP_RECORD_H
#define PERFSTAMP_RECORD_H

#ifndef __bpf__
#include <linux/types.h>
#include <stddef.h>
#endif

#define PERFSTAMP_BUILD_ID_MAX 20 /* NT_GNU_BUILD_ID bytes kept, as perf.data's */
#define PERFSTAMP_COOKIE_MAX 20
#define PERFSTAMP_COMM_MAX 16        /* TASK_COMM_LEN */
#define PERFSTAMP_PATH_MAX 4096      /* PATH_MAX, the NUL included */
#define PERFSTAMP_MODULE_NAME_MAX 64 /* over MODULE_NAME_LEN, the NUL included */

enum perfstamp_record_type {
	PERFSTAMP_RECORD_MAP = 1,    /* one executable mapping */
	PERFSTAMP_RECORD_THREAD = 2, /* one thread that existed before recording */
	PERFSTAMP_RECORD_MODULE = 3, /* what became of a kernel module */
	/* Between the kernel side and user space only, without more than the header. */
	PERFSTAMP_RECORD_MISSED = 4, /* a process with a mapping that could not be looked up */
};

/* Where an identity was read. */
enum perfstamp_source {
	PERFSTAMP_SOURCE_NONE = 0,       /* there is none: see the reason */
	PERFSTAMP_SOURCE_PAGE_CACHE = 1, /* the mapped file's page cache, when it was mapped */
	PERFSTAMP_SOURCE_KERNEL = 2,     /* from the running kernel: its own image, the vDSO */
	PERFSTAMP_SOURCE_USER = 3,       /* user space, through the still living mapping */
	PERFSTAMP_SOURCE_NATIVE = 4,     /* the kernel's own MMAP2 record */
	PERFSTAMP_SOURCE_STASH = 5, /* the kernel side, when the same content was mapped before */
	PERFSTAMP_SOURCE_FAULTED =
		6, /* the page cache, after the kernel side had it read from disk */
	PERFSTAMP_SOURCE_COUNT,
};

/* Why a mapping has no build-id. */
enum perfstamp_reason {
	PERFSTAMP_REASON_NONE = 0,          /* it has one */
	PERFSTAMP_REASON_NO_NOTE = 1,       /* an ELF file without a build-id note */
	PERFSTAMP_REASON_NOT_ELF = 2,       /* a file that is not ELF */
	PERFSTAMP_REASON_NOT_RESIDENT = 3,  /* the page with the note was not in memory */
	PERFSTAMP_REASON_IO_ERROR = 4,      /* the content could not be read */
	PERFSTAMP_REASON_MALFORMED = 5,     /* ELF headers or notes that contradict themselves */
	PERFSTAMP_REASON_TOO_LONG = 6,      /* a build-id over PERFSTAMP_BUILD_ID_MAX bytes */
	PERFSTAMP_REASON_LOOKUP_FAILED = 7, /* the mapping was gone before it could be read */
	PERFSTAMP_REASON_ANONYMOUS = 8,     /* no file is behind it: JIT code, trampolines */
	PERFSTAMP_REASON_LIMIT = 9,         /* more headers or notes than the kernel side reads */
	PERFSTAMP_REASON_UNKNOWN = 10,      /* the record does not say */
	PERFSTAMP_REASON_CHANGING = 11,     /* it was, or may have been, written to meanwhile */
	PERFSTAMP_REASON_COUNT,
};

/* Flags of a map record. */
#define PERFSTAMP_MAP_SNAPSHOT (1u << 0) /* it existed before; not seen being made */
#define PERFSTAMP_MAP_DELETED (1u << 1)  /* the file had no name any more */
#define PERFSTAMP_MAP_PATH_CUT (1u << 2) /* leading components are missing from the path */
#define PERFSTAMP_MAP_LATE (1u << 3)     /* what became known of a mapping recorded before */
/* Between the kernel side and user space only: one mapping in two records. */
#define PERFSTAMP_MAP_PENDING (1u << 14) /* the content is being read: AGAIN follows */
#define PERFSTAMP_MAP_AGAIN (1u << 15)   /* has the pid, tid, time and addr of a PENDING one */

/* What became of a kernel module. */
enum perfstamp_module_event {
	PERFSTAMP_MODULE_LOAD = 1,   /* it is there; its init function has not run yet */
	PERFSTAMP_MODULE_INIT = 2,   /* its init function has returned: its text is gone */
	PERFSTAMP_MODULE_UNLOAD = 3, /* its text is about to go */
	PERFSTAMP_MODULE_EVENT_COUNT,
};

/* Flags of a module record. */
#define PERFSTAMP_MODULE_SNAPSHOT (1u << 0)    /* it existed before; not seen being loaded */
#define PERFSTAMP_MODULE_INIT_FAILED (1u << 1) /* of INIT and UNLOAD: init refused to load it */
#define PERFSTAMP_MODULE_INFERRED (1u << 2)    /* not seen: found by looking again, or implied */
#define PERFSTAMP_MODULE_FROM_MEMORY (1u << 3) /* of LOAD: by init_module, which names no file */

/* Every record begins with this. */
struct perfstamp_record {
	__u16 type; /* enum perfstamp_record_type */
	__u16 flags;
	__u32 size;    /* bytes, this header included; a multiple of 8 */
	__u64 time_ns; /* CLOCK_MONOTONIC */
	__u32 pid;     /* thread group, in the initial pid namespace */
	__u32 tid;
};

/*
 * What is known of the content behind a mapping. In perf.data it is a part of struct
 * perfstamp_extension.
 */
struct perfstamp_identity {
	__u32 dev_major;
	__u32 dev_minor;
	__u64 ino; /* of the real inode: below an overlay, not the overlay's */
	__u64 ino_generation;
	__u64 file_size; /* bytes */
	__u64 cgroup_id; /* of the default hierarchy (cgroup v2) */
	__u32 mnt_ns;    /* inode number of the mount namespace */
	__u8 source;     /* enum perfstamp_source */
	__u8 reason;     /* enum perfstamp_reason */
	__u8 build_id_size;
	__u8 cookie_size;
	__u8 build_id[PERFSTAMP_BUILD_ID_MAX];
	__u8 cookie[PERFSTAMP_COOKIE_MAX];
};

/* Flags of struct perfstamp_witness. */
#define PERFSTAMP_WITNESS_TAKEN (1u << 0)
#define PERFSTAMP_WITNESS_WRITABLE (1u << 1) /* somebody had the file open for writing */
#define PERFSTAMP_WITNESS_QUERIED (1u << 2)  /* the next change sets another change time */
#define PERFSTAMP_WITNESS_DENIED (1u << 3)   /* writing is denied: it is a running program */

/*
 * Between the kernel side and user space only: the times of a file as they were when it was
 * mapped, if the kernel side could not read its content, or read it from the page cache and
 * files are captured. User space reads the content later, and compares.
 */
struct perfstamp_witness {
	__u64 mtime_sec;
	__u64 ctime_sec;
	__u32 mtime_nsec;
	__u32 ctime_nsec;
	__u64 clock_ns;       /* no later than CLOCK_MONOTONIC_COARSE was when they were read */
	__u32 granularity_ns; /* of this file system's times; 0: unknown */
	__u32 flags;          /* PERFSTAMP_WITNESS_* */
};

struct perfstamp_map {
	struct perfstamp_record record;
	__u64 addr;
	__u64 len;       /* bytes */
	__u64 pgoff;     /* bytes, as in PERF_RECORD_MMAP2 */
	__u32 prot;      /* PROT_* */
	__u32 map_flags; /* MAP_* */
	struct perfstamp_identity identity;
	__u32 path_size; /* bytes, the NUL included */
	__u32 cpu;       /* that the mapping was made on; 0 where it existed before */
	struct perfstamp_witness witness;
	char path[]; /* zero-padded to a multiple of 8 */
};

struct perfstamp_thread {
	struct perfstamp_record record;
	__u32 ppid;
	__u32 ptid;
	__u64 start_ns; /* CLOCK_MONOTONIC */
	char comm[PERFSTAMP_COMM_MAX];
};

/* A kernel module; the same in the kernel side's records and in perf.data. */
struct perfstamp_module_state {
	__u64 text_addr;   /* where its text is, without what is only for its init */
	__u64 init_addr;   /* where its init function's text is, or 0 */
	__u32 text_size;   /* bytes */
	__u32 init_size;   /* bytes */
	__s32 init_result; /* of INIT: what the function returned, 0 or -errno */
	/*
	 * In perf.data, of a record in which perf gets another name: which
	 * one of those that had this module's, from 2 on. 0: perf has the true name.
	 */
	__u32 ordinal;
	__u8 event;  /* enum perfstamp_module_event */
	__u8 source; /* enum perfstamp_source, of the build-id */
	__u8 reason; /* enum perfstamp_reason */
	__u8 build_id_size;
	__u8 build_id[PERFSTAMP_BUILD_ID_MAX];
	char name[PERFSTAMP_MODULE_NAME_MAX]; /* zero behind its NUL */
};

struct perfstamp_module {
	struct perfstamp_record record; /* its flags: PERFSTAMP_MODULE_* */
	struct perfstamp_module_state state;
	/*
	 * Of LOAD: the file that the loading system call was given, from the root of its
	 * mount namespace. Not checked: the file may have been replaced since.
	 */
	__u32 path_size;  /* bytes, the NUL included; 0: it is not known */
	__u16 path_flags; /* PERFSTAMP_MAP_DELETED and PERFSTAMP_MAP_PATH_CUT */
	__u16 reserved;
	char path[]; /* zero-padded to a multiple of 8 */
};

/*
 * In perf.data, extensions are notes: a PERF_RECORD_CGROUP with this id, which no cgroup has,
 * and a path that begins with the prefix and goes on with the extension in base64 (RFC 4648).
 * Every reader of perf.data passes over it, as a cgroup that no sample is in.
 *
 * A PERF_RECORD_MMAP2 refers to an extension by its number, in the upper half of .prot, in
 * which no protection has a bit. A number that is given again means the newer note from there
 * on, in the order of the file.
 *
 * In version 1 an extension stands in the record that it belongs to, behind the zero-padded
 * string and in front of the sample_id trailer; its number is 0.
 */
#define PERFSTAMP_NOTE_CGROUP (~0ull)
#define PERFSTAMP_NOTE_PREFIX "/perfstamp/"
#define PERFSTAMP_NOTE_PROT_SHIFT 16
#define PERFSTAMP_NOTE_PATH_MAX 4096 /* bytes, the NUL included: PATH_MAX */

#define PERFSTAMP_EXTENSION_MAGIC 0x504d5453u /* "STMP" in little-endian bytes */
#define PERFSTAMP_EXTENSION_VERSION 2

struct perfstamp_extension {
	__u32 magic;
	__u16 version;
	__u16 size;   /* bytes of this struct; a later version may only append */
	__u16 flags;  /* PERFSTAMP_MAP_* */
	__u16 number; /* by which a record refers to it */
	__u16 reserved[2];
	struct perfstamp_identity identity;
};

/*
 * Of a module: with a number, for the PERF_RECORD_MMAP2 that refers to it; without one, an
 * event that needs no map of perf's, at the note's own time. In version 1 it stands in the
 * MMAP2, or behind the name of a PERF_RECORD_KSYMBOL that means nothing to perf.
 */
#define PERFSTAMP_MODULE_MAGIC 0x444f4d53u /* "SMOD" in little-endian bytes */
#define PERFSTAMP_MODULE_VERSION 2
/* The path that perf gets for a module whose file is not known: no file can have it. */
#define PERFSTAMP_MODULE_NOWHERE "/proc/modules/"

struct perfstamp_module_extension {
	__u32 magic;
	__u16 version;
	__u16 size;   /* bytes of this struct; a later version may only append */
	__u16 flags;  /* PERFSTAMP_MODULE_* */
	__u16 number; /* by which a record refers to it, or 0 */
	__u16 reserved[2];
	struct perfstamp_module_state state;
};

/*
 * In front of the PERF_RECORD_CGROUP of a container: what the container's runtime keeps of
 * it, as lines of key=value (docs/format.md). Text that is too long for one note is in several.
 * In version 1 it stands behind the path of the CGROUP itself, zero-padded to a multiple of 8.
 */
#define PERFSTAMP_CONTAINER_MAGIC 0x4e544353u /* "SCTN" in little-endian bytes */
#define PERFSTAMP_CONTAINER_VERSION 2
#define PERFSTAMP_CONTAINER_TEXT_MAX 4096 /* bytes of the lines */

struct perfstamp_container_extension {
	__u32 magic;
	__u16 version;
	__u16 size;      /* bytes of this struct; a later version may only append */
	__u16 text_size; /* of the lines behind it, without padding */
	__u16 reserved[3];
	__u64 cgroup_id; /* since version 2: of the CGROUP */
};
#define PERFSTAMP_CONTAINER_SIZE_1 16 /* bytes in version 1 */

/*
 * Bytes that a process wrote about the code it made at run time, in the order in which it
 * wrote them, behind this. In version 1 it stands behind the name of a PERF_RECORD_KSYMBOL
 * that ends a symbol where there is none, zero-padded to a multiple of 8.
 */
#define PERFSTAMP_CODE_MAGIC 0x444f4353u /* "SCOD" in little-endian bytes */
#define PERFSTAMP_CODE_VERSION 2
#define PERFSTAMP_CODE_BYTES_MAX 57344 /* in one record of version 1 */

enum perfstamp_code_kind {
	PERFSTAMP_CODE_PERF_MAP = 1, /* lines of /tmp/perf-PID.map */
	PERFSTAMP_CODE_JITDUMP = 2,  /* jit-PID.dump */
	PERFSTAMP_CODE_KINDS,
};

/* The times in a jitdump are of a clock that the samples' cannot be compared with. */
#define PERFSTAMP_CODE_OTHER_CLOCK (1u << 0)

struct perfstamp_code_extension {
	__u32 magic;
	__u16 version;
	__u16 size;  /* bytes of this struct; a later version may only append */
	__u16 flags; /* PERFSTAMP_CODE_* */
	__u8 kind;   /* enum perfstamp_code_kind */
	__u8 reserved[5];
	__u32 pid;
	__u32 stream;     /* a file as it was written once: another number after it was replaced */
	__u64 offset;     /* of the bytes in the file; a gap is what was not kept */
	__u64 since_ns;   /* the last moment at which they were not there yet */
	__u64 seen_ns;    /* when they were there; both in the samples' clock */
	__s64 clock_ns;   /* to be added to CLOCK_MONOTONIC for the samples' clock */
	__u32 bytes_size; /* of what follows, without padding */
	__u32 reserved2;
};

/*
 * After a loss, all threads that exist were recorded again between .since_ns and the note's own
 * time: a thread that no record shows to have lived since .since_ns has ended, though its
 * PERF_RECORD_EXIT was lost.
 */
#define PERFSTAMP_CHECK_MAGIC 0x4b484353u /* "SCHK" in little-endian bytes */
#define PERFSTAMP_CHECK_VERSION 2         /* as of all extensions that stand in notes */

struct perfstamp_check_extension {
	__u32 magic;
	__u16 version;
	__u16 size; /* bytes of this struct; a later version may only append */
	__u16 reserved[4];
	__u64 since_ns; /* in the samples' clock */
};

#ifdef __cplusplus
#define PERFSTAMP_ASSERT(cond) static_assert(cond, #cond)
#else
#define PERFSTAMP_ASSERT(cond) _Static_assert(cond, #cond)
#endif
#define PERFSTAMP_OFFSET(type, field, at)                                                          \
	PERFSTAMP_ASSERT(__builtin_offsetof(struct type, field) == (at))

PERFSTAMP_OFFSET(perfstamp_record, flags, 2);
PERFSTAMP_OFFSET(perfstamp_record, size, 4);
PERFSTAMP_OFFSET(perfstamp_record, time_ns, 8);
PERFSTAMP_OFFSET(perfstamp_record, pid, 16);
PERFSTAMP_OFFSET(perfstamp_record, tid, 20);
PERFSTAMP_ASSERT(sizeof(struct perfstamp_record) == 24);
PERFSTAMP_OFFSET(perfstamp_identity, dev_minor, 4);
PERFSTAMP_OFFSET(perfstamp_identity, ino, 8);
PERFSTAMP_OFFSET(perfstamp_identity, ino_generation, 16);
PERFSTAMP_OFFSET(perfstamp_identity, file_size, 24);
PERFSTAMP_OFFSET(perfstamp_identity, cgroup_id, 32);
PERFSTAMP_OFFSET(perfstamp_identity, mnt_ns, 40);
PERFSTAMP_OFFSET(perfstamp_identity, source, 44);
PERFSTAMP_OFFSET(perfstamp_identity, reason, 45);
PERFSTAMP_OFFSET(perfstamp_identity, build_id_size, 46);
PERFSTAMP_OFFSET(perfstamp_identity, cookie_size, 47);
PERFSTAMP_OFFSET(perfstamp_identity, build_id, 48);
PERFSTAMP_OFFSET(perfstamp_identity, cookie, 68);
PERFSTAMP_ASSERT(sizeof(struct perfstamp_identity) == 88);
PERFSTAMP_OFFSET(perfstamp_map, addr, 24);
PERFSTAMP_OFFSET(perfstamp_map, len, 32);
PERFSTAMP_OFFSET(perfstamp_map, pgoff, 40);
PERFSTAMP_OFFSET(perfstamp_map, prot, 48);
PERFSTAMP_OFFSET(perfstamp_map, map_flags, 52);
PERFSTAMP_OFFSET(perfstamp_map, identity, 56);
PERFSTAMP_OFFSET(perfstamp_map, path_size, 144);
PERFSTAMP_OFFSET(perfstamp_map, cpu, 148);
PERFSTAMP_OFFSET(perfstamp_map, witness, 152);
PERFSTAMP_OFFSET(perfstamp_map, path, 192);
PERFSTAMP_ASSERT(sizeof(struct perfstamp_map) == 192);
PERFSTAMP_OFFSET(perfstamp_witness, ctime_sec, 8);
PERFSTAMP_OFFSET(perfstamp_witness, mtime_nsec, 16);
PERFSTAMP_OFFSET(perfstamp_witness, ctime_nsec, 20);
PERFSTAMP_OFFSET(perfstamp_witness, clock_ns, 24);
PERFSTAMP_OFFSET(perfstamp_witness, granularity_ns, 32);
PERFSTAMP_OFFSET(perfstamp_witness, flags, 36);
PERFSTAMP_ASSERT(sizeof(struct perfstamp_witness) == 40);
PERFSTAMP_OFFSET(perfstamp_thread, ppid, 24);
PERFSTAMP_OFFSET(perfstamp_thread, start_ns, 32);
PERFSTAMP_OFFSET(perfstamp_thread, comm, 40);
PERFSTAMP_ASSERT(sizeof(struct perfstamp_thread) == 56);
PERFSTAMP_OFFSET(perfstamp_module_state, init_addr, 8);
PERFSTAMP_OFFSET(perfstamp_module_state, text_size, 16);
PERFSTAMP_OFFSET(perfstamp_module_state, init_size, 20);
PERFSTAMP_OFFSET(perfstamp_module_state, init_result, 24);
PERFSTAMP_OFFSET(perfstamp_module_state, ordinal, 28);
PERFSTAMP_OFFSET(perfstamp_module_state, event, 32);
PERFSTAMP_OFFSET(perfstamp_module_state, source, 33);
PERFSTAMP_OFFSET(perfstamp_module_state, reason, 34);
PERFSTAMP_OFFSET(perfstamp_module_state, build_id_size, 35);
PERFSTAMP_OFFSET(perfstamp_module_state, build_id, 36);
PERFSTAMP_OFFSET(perfstamp_module_state, name, 56);
PERFSTAMP_ASSERT(sizeof(struct perfstamp_module_state) == 120);
PERFSTAMP_OFFSET(perfstamp_module, state, 24);
PERFSTAMP_OFFSET(perfstamp_module, path_size, 144);
PERFSTAMP_OFFSET(perfstamp_module, path_flags, 148);
PERFSTAMP_OFFSET(perfstamp_module, path, 152);
PERFSTAMP_ASSERT(sizeof(struct perfstamp_module) == 152);
PERFSTAMP_OFFSET(perfstamp_module_extension, version, 4);
PERFSTAMP_OFFSET(perfstamp_module_extension, size, 6);
PERFSTAMP_OFFSET(perfstamp_module_extension, flags, 8);
PERFSTAMP_OFFSET(perfstamp_module_extension, state, 16);
PERFSTAMP_ASSERT(sizeof(struct perfstamp_module_extension) == 136);
PERFSTAMP_OFFSET(perfstamp_container_extension, version, 4);
PERFSTAMP_OFFSET(perfstamp_container_extension, size, 6);
PERFSTAMP_OFFSET(perfstamp_container_extension, text_size, 8);
PERFSTAMP_OFFSET(perfstamp_container_extension, cgroup_id, 16);
PERFSTAMP_ASSERT(sizeof(struct perfstamp_container_extension) == 24);
PERFSTAMP_OFFSET(perfstamp_code_extension, version, 4);
PERFSTAMP_OFFSET(perfstamp_code_extension, size, 6);
PERFSTAMP_OFFSET(perfstamp_code_extension, flags, 8);
PERFSTAMP_OFFSET(perfstamp_code_extension, kind, 10);
PERFSTAMP_OFFSET(perfstamp_code_extension, pid, 16);
PERFSTAMP_OFFSET(perfstamp_code_extension, stream, 20);
PERFSTAMP_OFFSET(perfstamp_code_extension, offset, 24);
PERFSTAMP_OFFSET(perfstamp_code_extension, since_ns, 32);
PERFSTAMP_OFFSET(perfstamp_code_extension, seen_ns, 40);
PERFSTAMP_OFFSET(perfstamp_code_extension, clock_ns, 48);
PERFSTAMP_OFFSET(perfstamp_code_extension, bytes_size, 56);
PERFSTAMP_ASSERT(sizeof(struct perfstamp_code_extension) == 64);
PERFSTAMP_OFFSET(perfstamp_check_extension, version, 4);
PERFSTAMP_OFFSET(perfstamp_check_extension, size, 6);
PERFSTAMP_OFFSET(perfstamp_check_extension, since_ns, 16);
PERFSTAMP_ASSERT(sizeof(struct perfstamp_check_extension) == 24);
PERFSTAMP_OFFSET(perfstamp_extension, version, 4);
PERFSTAMP_OFFSET(perfstamp_extension, size, 6);
PERFSTAMP_OFFSET(perfstamp_extension, flags, 8);
PERFSTAMP_OFFSET(perfstamp_extension, number, 10);
PERFSTAMP_OFFSET(perfstamp_extension, identity, 16);
PERFSTAMP_ASSERT(sizeof(struct perfstamp_extension) == 104);

#endif
