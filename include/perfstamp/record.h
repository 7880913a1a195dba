/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * The records that perfstamp's BPF programs send to user space, and the parts of them that
 * are stored in perf.data.
 *
 * This header is only the format. BPF programs, user space and the kernel patch include it,
 * so it uses nothing but fixed-width types, in the byte order of the machine that made the
 * record. docs/format.md describes it for authors of other readers.
 *
 * A reader skips records of unknown types, by their size, and unknown trailing bytes of
 * known records.
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
	PERFSTAMP_RECORD_MODULE = 3, /* a kernel module was loaded, initialized or unloaded */
	/* Only from the kernel side to user space; consists of the header alone. */
	PERFSTAMP_RECORD_MISSED = 4, /* a process with a mapping that could not be looked up */
};

/* Where an identity was read. */
enum perfstamp_source {
	PERFSTAMP_SOURCE_NONE = 0,       /* no identity: see the reason */
	PERFSTAMP_SOURCE_PAGE_CACHE = 1, /* the mapped file's page cache, when it was mapped */
	PERFSTAMP_SOURCE_KERNEL = 2,     /* from the running kernel: its own image, the vDSO */
	PERFSTAMP_SOURCE_USER = 3,       /* user space, through the mapping while it existed */
	PERFSTAMP_SOURCE_NATIVE = 4,     /* the kernel's own MMAP2 record */
	PERFSTAMP_SOURCE_STASH = 5, /* the kernel side, when the same content was mapped before */
	PERFSTAMP_SOURCE_FAULTED =
		6, /* the page cache, after the kernel side had it read from disk */
	PERFSTAMP_SOURCE_COUNT,
};

/* Why a mapping has no build-id. */
enum perfstamp_reason {
	PERFSTAMP_REASON_NONE = 0,          /* it has a build-id */
	PERFSTAMP_REASON_NO_NOTE = 1,       /* an ELF file without a build-id note */
	PERFSTAMP_REASON_NOT_ELF = 2,       /* a file that is not ELF */
	PERFSTAMP_REASON_NOT_RESIDENT = 3,  /* the page with the note was not in memory */
	PERFSTAMP_REASON_IO_ERROR = 4,      /* the content could not be read */
	PERFSTAMP_REASON_MALFORMED = 5,     /* contradictory ELF headers or notes */
	PERFSTAMP_REASON_TOO_LONG = 6,      /* a build-id over PERFSTAMP_BUILD_ID_MAX bytes */
	PERFSTAMP_REASON_LOOKUP_FAILED = 7, /* the mapping was removed before it could be read */
	PERFSTAMP_REASON_ANONYMOUS = 8,     /* memory without a file: JIT code, trampolines */
	PERFSTAMP_REASON_LIMIT = 9,         /* too many headers or notes for the kernel side */
	PERFSTAMP_REASON_UNKNOWN = 10,      /* the record does not have it */
	PERFSTAMP_REASON_CHANGING = 11,     /* the content was or may have been written to */
	PERFSTAMP_REASON_COUNT,
};

/* Flags of a map record. */
#define PERFSTAMP_MAP_SNAPSHOT (1u << 0) /* existed before recording; creation not observed */
#define PERFSTAMP_MAP_DELETED (1u << 1)  /* the file was deleted */
#define PERFSTAMP_MAP_PATH_CUT (1u << 2) /* leading components are missing from the path */
#define PERFSTAMP_MAP_LATE (1u << 3)     /* later information about a mapping recorded before */
/* Between the kernel side and user space only: one mapping in two records. */
#define PERFSTAMP_MAP_PENDING (1u << 14) /* the content is being read: AGAIN follows */
#define PERFSTAMP_MAP_AGAIN (1u << 15)   /* has the pid, tid, time and addr of a PENDING one */

/* Events of a kernel module. */
enum perfstamp_module_event {
	PERFSTAMP_MODULE_LOAD = 1,   /* it is loaded; its init function has not run yet */
	PERFSTAMP_MODULE_INIT = 2,   /* its init function has returned; init text is freed */
	PERFSTAMP_MODULE_UNLOAD = 3, /* its text is about to be freed */
	PERFSTAMP_MODULE_EVENT_COUNT,
};

/* Flags of a module record. */
#define PERFSTAMP_MODULE_SNAPSHOT (1u << 0)    /* existed before recording; loading not observed */
#define PERFSTAMP_MODULE_INIT_FAILED (1u << 1) /* of INIT and UNLOAD: its init function failed */
#define PERFSTAMP_MODULE_INFERRED (1u << 2)    /* not observed: found by polling, or implied */
#define PERFSTAMP_MODULE_FROM_MEMORY (1u << 3) /* of LOAD: by init_module, which has no file */

/* Every record begins with this. */
struct perfstamp_record {
	__u16 type; /* enum perfstamp_record_type */
	__u16 flags;
	__u32 size;    /* bytes, this header included; a multiple of 8 */
	__u64 time_ns; /* CLOCK_MONOTONIC */
	__u32 pid;     /* thread group, in the initial pid namespace */
	__u32 tid;
};

/* The identity of a mapped content. In perf.data it is a part of struct perfstamp_extension. */
struct perfstamp_identity {
	__u32 dev_major;
	__u32 dev_minor;
	__u64 ino; /* of the real inode: on overlayfs, that of the layer */
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
#define PERFSTAMP_WITNESS_WRITABLE (1u << 1) /* the file was open for writing */
#define PERFSTAMP_WITNESS_QUERIED (1u << 2)  /* the next change of the file sets another ctime */
#define PERFSTAMP_WITNESS_DENIED (1u << 3)   /* writing is denied: the file is being executed */

/*
 * Only from the kernel side to user space: the times of a file when it was mapped. Present
 * if the kernel side could not read the content, or read it from the page cache and files
 * are captured. User space reads the content later, and compares the times.
 */
struct perfstamp_witness {
	__u64 mtime_sec;
	__u64 ctime_sec;
	__u32 mtime_nsec;
	__u32 ctime_nsec;
	__u64 clock_ns;       /* lower bound of CLOCK_MONOTONIC_COARSE when they were read */
	__u32 granularity_ns; /* of the file system's times; 0: unknown */
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
	__u32 cpu;       /* CPU on which the mapping was made; 0 if it existed before */
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
	__u64 text_addr;   /* address of its text, without its init text */
	__u64 init_addr;   /* address of its init text, or 0 */
	__u32 text_size;   /* bytes */
	__u32 init_size;   /* bytes */
	__s32 init_result; /* of INIT: what the function returned, 0 or -errno */
	/*
	 * In perf.data, if the record has another name for perf: the number, from 2 on, of this
	 * module among those with its name. 0: the name in the record is the true name.
	 */
	__u32 ordinal;
	__u8 event;  /* enum perfstamp_module_event */
	__u8 source; /* enum perfstamp_source, of the build-id */
	__u8 reason; /* enum perfstamp_reason */
	__u8 build_id_size;
	__u8 build_id[PERFSTAMP_BUILD_ID_MAX];
	char name[PERFSTAMP_MODULE_NAME_MAX]; /* zero-padded */
};

struct perfstamp_module {
	struct perfstamp_record record; /* its flags: PERFSTAMP_MODULE_* */
	struct perfstamp_module_state state;
	/*
	 * Of LOAD: the file that was passed to the loading system call, from the root of its
	 * mount namespace. Not verified: the file may have been replaced since.
	 */
	__u32 path_size;  /* bytes, the NUL included; 0: not known */
	__u16 path_flags; /* PERFSTAMP_MAP_DELETED and PERFSTAMP_MAP_PATH_CUT */
	__u16 reserved;
	char path[]; /* zero-padded to a multiple of 8 */
};

/*
 * In perf.data, extensions are notes: PERF_RECORD_CGROUP records with this id, which no
 * cgroup has, and a path that consists of the prefix and the extension in base64 (RFC
 * 4648). Other readers of perf.data ignore them, as cgroups without samples.
 *
 * A PERF_RECORD_MMAP2 refers to an extension by its number, in the upper half of .prot,
 * which no PROT_* flag uses. If a number is reused, it refers to the newer note from there
 * on, in the order of the file.
 *
 * In version 1 an extension is in the record to which it belongs, after the zero-padded
 * string and before the sample_id trailer; its number is 0.
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
	__u16 number; /* a record refers to the note by this */
	__u16 reserved[2];
	struct perfstamp_identity identity;
};

/*
 * A module event. With a number, it belongs to the PERF_RECORD_MMAP2 that refers to it.
 * Without one, it is an event for which perf needs no map, at the note's own time. In
 * version 1 it is in the MMAP2, or after the name of a PERF_RECORD_KSYMBOL that perf
 * ignores.
 */
#define PERFSTAMP_MODULE_MAGIC 0x444f4d53u /* "SMOD" in little-endian bytes */
#define PERFSTAMP_MODULE_VERSION 2
/* The path in a module's record if its file is not known. No file can have it. */
#define PERFSTAMP_MODULE_NOWHERE "/proc/modules/"

struct perfstamp_module_extension {
	__u32 magic;
	__u16 version;
	__u16 size;   /* bytes of this struct; a later version may only append */
	__u16 flags;  /* PERFSTAMP_MODULE_* */
	__u16 number; /* number by which a record refers to it, or 0 */
	__u16 reserved[2];
	struct perfstamp_module_state state;
};

/*
 * Precedes the PERF_RECORD_CGROUP of a container: what the runtime's state files have about
 * the container, as lines of key=value (docs/format.md). Text that is too long for one note
 * is split into several. In version 1 it follows the path of the CGROUP itself, zero-padded
 * to a multiple of 8.
 */
#define PERFSTAMP_CONTAINER_MAGIC 0x4e544353u /* "SCTN" in little-endian bytes */
#define PERFSTAMP_CONTAINER_VERSION 2
#define PERFSTAMP_CONTAINER_TEXT_MAX 4096 /* bytes of the lines */

struct perfstamp_container_extension {
	__u32 magic;
	__u16 version;
	__u16 size;      /* bytes of this struct; a later version may only append */
	__u16 text_size; /* bytes of the lines that follow, without padding */
	__u16 reserved[3];
	__u64 cgroup_id; /* since version 2: the CGROUP's id */
};
#define PERFSTAMP_CONTAINER_SIZE_1 16 /* bytes in version 1 */

/*
 * Precedes bytes that a process wrote about code made at run time, in the order in which it
 * wrote them. In version 1 it follows the name of a PERF_RECORD_KSYMBOL that removes a
 * symbol which does not exist, zero-padded to a multiple of 8.
 */
#define PERFSTAMP_CODE_MAGIC 0x444f4353u /* "SCOD" in little-endian bytes */
#define PERFSTAMP_CODE_VERSION 2
#define PERFSTAMP_CODE_BYTES_MAX 57344 /* in one record of version 1 */

enum perfstamp_code_kind {
	PERFSTAMP_CODE_PERF_MAP = 1, /* lines of /tmp/perf-PID.map */
	PERFSTAMP_CODE_JITDUMP = 2,  /* jit-PID.dump */
	PERFSTAMP_CODE_KINDS,
};

/* The times in a jitdump cannot be converted to the samples' clock. */
#define PERFSTAMP_CODE_OTHER_CLOCK (1u << 0)

struct perfstamp_code_extension {
	__u32 magic;
	__u16 version;
	__u16 size;  /* bytes of this struct; a later version may only append */
	__u16 flags; /* PERFSTAMP_CODE_* */
	__u8 kind;   /* enum perfstamp_code_kind */
	__u8 reserved[5];
	__u32 pid;
	__u32 stream;     /* number of the file; it changes when the file is replaced */
	__u64 offset;     /* offset of the bytes in the file; a gap was not recorded */
	__u64 since_ns;   /* the latest time at which the file did not have them */
	__u64 seen_ns;    /* when they were read; both in the samples' clock */
	__s64 clock_ns;   /* to be added to CLOCK_MONOTONIC for the samples' clock */
	__u32 bytes_size; /* bytes that follow, without padding */
	__u32 reserved2;
};

/*
 * After a loss, all existing threads were recorded again between .since_ns and the note's
 * own time. So a thread without a record from this span has ended, even if its
 * PERF_RECORD_EXIT was lost.
 */
#define PERFSTAMP_CHECK_MAGIC 0x4b484353u /* "SCHK" in little-endian bytes */
#define PERFSTAMP_CHECK_VERSION 2         /* the version of all extensions in notes */

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
