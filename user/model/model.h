/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes, their mappings, DSOs and sightings, from events in time order.
 * Pure: no I/O, no clock, no globals; live and recorded streams go through the
 * same code. The memory it takes follows what is alive plus one entry for each
 * sighting.
 */
#ifndef PERFSTAMP_MODEL_MODEL_H
#define PERFSTAMP_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/event/event.h"

struct model;

/*
 * One DSO content seen at one path, from its first mapping to its last. The times
 * in between when nothing mapped it are kept only by model__follow_lives(). Two identities at one
 * path are two sightings: build-id and cookie both count, and where there is
 * neither, device, inode, generation and size. So a file that was first seen
 * without its build-id and later with it is two as well: nothing proves that it
 * was the same content.
 */
struct sighting {
	uint32_t index; /* in order of appearance */
	const char *path;
	struct perfstamp_identity identity; /* of its first mapping */
	/*
	 * A build-id is a claim: how many contents (different cookies) came with
	 * it, at this path or others, and which of them this is, from 1; 0 where
	 * it came without a cookie, so that it may be any. Above 1 the build-id
	 * alone does not tell what was mapped.
	 */
	uint32_t n_contents;
	uint32_t content;
	bool kernel;
	bool symbol;       /* of the kernel, with a name only, which is .path: BPF, trampolines */
	bool alive;        /* still mapped at the end of the stream */
	uint64_t first_ns; /* time of its first mapping; 0: before recording */
	/* When its last mapping went; the newest event's time while one is alive. */
	uint64_t last_ns;
	/*
	 * Map events, without what is told again: a PERFSTAMP_MAP_SNAPSHOT
	 * record inside a mapping that is already known, and the live record of
	 * a mapping that a snapshot told of first.
	 */
	uint64_t mappings;
	uint64_t samples;
	uint64_t frames; /* entries of call chains, where these are followed */
	/*
	 * Distinct pids that mapped it, or inherited it by fork and did more
	 * than go on to exec; exact. A pid that was used again counts once. The
	 * first of them are in pids, in order of appearance: at most 1,024.
	 */
	size_t n_processes;
	size_t n_pids;
	const uint32_t *pids;
	size_t n_cgroups; /* exact, and all are in cgroup_ids */
	const uint64_t *cgroup_ids;
	size_t n_mnt_ns; /* the same of mount namespaces, by inode number */
	const uint64_t *mnt_ns;
};

/* Times in ns; .begin_ns 0: before recording; .end_ns UINT64_MAX: it goes on. */
struct model_span {
	uint64_t begin_ns;
	uint64_t end_ns;
};

/* The life of a sighting in detail (model__follow_lives). */
struct sighting_lives {
	/* When something mapped it, by time: at most 64, then the shortest gaps are closed. */
	const struct model_span *mapped;
	size_t n_mapped;
	uint64_t n_merged; /* gaps that were closed */
	/* When it was no longer what new processes got at its path. Not all of that is life. */
	const struct model_span *outdated;
	size_t n_outdated;
	/*
	 * When it took over its path from another content, in the same mount
	 * namespace: the first 64, in the order in which they were seen.
	 */
	const uint64_t *switches;
	size_t n_switches;
	uint64_t n_all_switches;
};

/* A mapping that is alive now, in a live process. */
struct model_mapping {
	uint32_t pid;
	const char *comm;
	size_t n_threads;   /* of the process, that are alive and known */
	uint64_t cgroup_id; /* of the process's newest map record that told */
	uint32_t mnt_ns;
	uint64_t addr;
	uint64_t len;   /* bytes */
	uint64_t pgoff; /* bytes */
	uint32_t prot;
	uint32_t map_flags;
	uint32_t sighting; /* index */
};

/*
 * A kernel module from its load to its unload. One that was loaded again has as
 * many of these. Times are 0 where they are not known.
 */
struct module_life {
	const char *name;
	const char *path; /* of its file; "[NAME]" where that is not known */
	uint64_t addr;    /* of its text */
	uint64_t len;     /* bytes */
	uint8_t build_id[PERFSTAMP_BUILD_ID_MAX];
	uint8_t build_id_size;
	uint8_t reason;        /* why there is no build-id */
	bool snapshot;         /* it was there before recording */
	bool inferred;         /* its load or unload was not seen, but found out later */
	bool from_memory;      /* it was loaded from memory (init_module), and not from a file */
	bool init_failed;      /* its init function refused to load it */
	bool unloaded;         /* it is gone */
	int32_t init_result;   /* of the function, 0 or -errno */
	uint64_t loaded_ns;    /* 0 also: before recording */
	uint64_t init_done_ns; /* when its init function returned; 0 where it has none */
	uint64_t unloaded_ns;
	uint64_t samples; /* in its text */
};

/*
 * The ledger: every executable mapping of user space has an identity or a
 * reason. maps is the sum of by_source and by_reason; unlike a sighting's
 * mappings it counts every record, because each one must carry an identity.
 */
struct model_ledger {
	uint64_t events;
	uint64_t maps;                              /* executable, of user space */
	uint64_t by_source[PERFSTAMP_SOURCE_COUNT]; /* with a build-id; 0: not known */
	uint64_t by_reason[PERFSTAMP_REASON_COUNT]; /* without; 0 is not used */
	uint64_t cookies;                           /* without a build-id, with a cookie */
	/* Of those without either, by reason. */
	uint64_t unidentified[PERFSTAMP_REASON_COUNT];
	uint64_t samples;
	uint64_t samples_user_identified;   /* user ip in a mapping with a build-id or cookie */
	uint64_t samples_user_unidentified; /* user ip in a mapping without: of these */
	uint64_t samples_user_anonymous;    /* in memory without a file: JIT code */
	uint64_t samples_user_unmapped;     /* user ip in no known mapping */
	uint64_t samples_kernel;            /* kernel ip in a known kernel map: of these */
	uint64_t samples_kernel_image;      /* in the kernel's image */
	uint64_t samples_kernel_module;     /* in a module */
	uint64_t samples_kernel_symbol;     /* in what has a name only: BPF, trampolines */
	/* Of all in a known kernel map: with neither build-id nor a BPF program's tag. */
	uint64_t samples_kernel_unidentified;
	uint64_t samples_kernel_unmapped;
	uint64_t samples_other;    /* hypervisor, guest */
	uint64_t lost_records;     /* sum of LOST */
	uint64_t lost_samples;     /* sum of LOST_SAMPLES */
	uint64_t n_processes;      /* distinct pids, without 0 */
	uint64_t shared_build_ids; /* build-ids of more than one content */
};

/* What text an address is in. */
enum model_text {
	MODEL_TEXT_NONE, /* in no mapping that is known */
	MODEL_TEXT_USER,
	MODEL_TEXT_KERNEL, /* the image */
	MODEL_TEXT_MODULE,
	MODEL_TEXT_SYMBOL, /* what has a name only: BPF, trampolines */
};

struct model_place {
	enum model_text text;
	bool in_kernel;
	uint32_t sighting; /* index; UINT32_MAX where there is none */
	/*
	 * USER: in the file. KERNEL: from the symbol that the image's addresses
	 * count from, or from its start; MODULE and SYMBOL: from the start of its
	 * text. NONE: the address itself.
	 */
	uint64_t offset;
	uint64_t start; /* the mapping: its first address, its bytes, where it begins in the file */
	uint64_t len;
	uint64_t pgoff;
};

int model__new(struct model **ret);
void model__free(struct model *model);
/* From now on, the entries of call chains are counted, too. */
void model__follow_chains(struct model *model);
/*
 * Before the first event: keeps the lives of sightings, too. Takes up to 2 KB for each
 * sighting that comes and goes. 0 or -ENOMEM.
 */
int model__follow_lives(struct model *model);

/*
 * Takes the next event in time order. Returns 0 or -ENOMEM. A FORK with
 * PERF_RECORD_MISC_FORK_EXEC tells of a process that existed before: it
 * inherits nothing, and one that is known stays as it is.
 */
int model__apply(struct model *model, const struct event *event);

/*
 * Where @addr is now, for the process @pid; the mode that it was met in is that of
 * @misc (PERF_RECORD_MISC_*).
 */
void model__locate(const struct model *model, uint32_t pid, uint16_t misc, uint64_t addr,
	struct model_place *ret);

const struct model_ledger *model__ledger(const struct model *model);
/* Sightings in order of appearance; the pointers are valid until the next apply. */
size_t model__n_sightings(const struct model *model);
const struct sighting *model__sighting(struct model *model, size_t i);
/* The same while the stream goes on: children on their way to exec are not counted yet. */
const struct sighting *model__sighting_so_far(const struct model *model, size_t i);
/* The lives of sighting @i, where they are followed; else all of @ret is 0. */
void model__lives(const struct model *model, size_t i, struct sighting_lives *ret);
/*
 * Calls @fn for every mapping of every live process, processes in order of
 * appearance, until it returns non-zero, which is returned.
 */
int model__for_each_mapping(const struct model *model,
	int (*fn)(const struct model_mapping *mapping, void *ctx), void *ctx);
/* The same of process @pid alone, by address. */
int model__for_each_mapping_of(const struct model *model, uint32_t pid,
	int (*fn)(const struct model_mapping *mapping, void *ctx), void *ctx);
/* The mapping of process @pid that holds @addr; false where there is none. */
bool model__find_mapping(
	const struct model *model, uint32_t pid, uint64_t addr, struct model_mapping *ret);
/* The lives of modules, in order of loading. */
size_t model__n_modules(const struct model *model);
const struct module_life *model__module(const struct model *model, size_t i);
/* A process that is alive. */
struct model_process {
	const char *comm;
	uint64_t cgroup_id; /* of its newest map record that told; 0: none did */
	uint32_t mnt_ns;
	size_t n_threads; /* that are alive and known */
};
/* Returns false where @pid is not known. Valid until the next apply. */
bool model__process(const struct model *model, uint32_t pid, struct model_process *ret);
/* The path of a cgroup that a CGROUP event named, or NULL. */
const char *model__cgroup_path(const struct model *model, uint64_t id);
/*
 * The lines of key=value that the recording has of this cgroup's container, not
 * terminated (docs/format.md), or NULL; *@ret_size is their length in bytes.
 */
const char *model__cgroup_about(const struct model *model, uint64_t id, size_t *ret_size);

#endif
