/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The results of a model, in plain structs: sightings and their lives, modules, the ledger,
 * places. Does not know the tables that fill them in, nor their readers.
 */
#ifndef PERFSTAMP_MODEL_FACTS_H
#define PERFSTAMP_MODEL_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/event/event.h"

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
	struct perfstamp_identity identity; /* the identity of its first mapping */
	/*
	 * A build-id does not prove equality: the number of contents (different cookies) with
	 * this build-id, at any path, and which of them this is, from 1; 0 without a cookie, so
	 * that it may be any of them. Above 1 the build-id alone does not identify what was
	 * mapped.
	 */
	uint32_t n_contents;
	uint32_t content;
	/*
	 * It has no build-id, and files with its cookie replaced one another at its path: they may
	 * differ behind what the cookie covers.
	 */
	bool several_files;
	bool kernel;
	bool symbol;       /* kernel text with only a name, in .path: BPF, trampolines */
	bool init_text;    /* such a symbol, "[MODULE].init.text": a part of the module's life */
	bool alive;        /* still mapped at the end of the stream */
	uint64_t first_ns; /* time of its first mapping; 0: before recording */
	/* When its last mapping went; the newest event's time while one is alive. */
	uint64_t last_ns;
	/*
	 * Map events, without repetitions: a PERFSTAMP_MAP_SNAPSHOT
	 * record inside a mapping that is already known, and the live record of
	 * a mapping that a snapshot reported first.
	 */
	uint64_t mappings;
	uint64_t samples;
	uint64_t frames; /* entries of call chains, and of stacks, where these are followed */
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
	size_t n_mnt_ns; /* and of mount namespaces, by inode number */
	const uint64_t *mnt_ns;
};

/* Times in ns; .begin_ns 0: before recording; .end_ns UINT64_MAX: it has not ended. */
struct model_span {
	uint64_t begin_ns;
	uint64_t end_ns;
};

/* When a sighting took over its path from another content. */
struct model_switch {
	uint64_t time_ns;
	uint32_t replaced; /* the index of the sighting that had the path until then */
};

/* The life of a sighting in detail (model__follow_lives). */
struct sighting_lives {
	/* When something mapped it, by time: at most 64, then the shortest gaps are closed. */
	const struct model_span *mapped;
	size_t n_mapped;
	uint64_t n_merged; /* gaps that were closed */
	/*
	 * When its path had another content for new processes. It may still have been mapped
	 * then.
	 */
	const struct model_span *outdated;
	size_t n_outdated;
	/*
	 * When it took over its path from another content, in the same mount
	 * namespace: the first 64, in the order in which they were seen.
	 */
	const struct model_switch *switches;
	size_t n_switches;
	uint64_t n_all_switches;
};

/*
 * A kernel module from its load to its unload. One that was loaded again has as many of
 * these. Times are 0 if they are not known.
 */
struct module_life {
	const char *name;
	const char *path; /* path of its file; "[NAME]" if it is not known */
	uint64_t addr;    /* address of its text */
	uint64_t len;     /* bytes */
	uint8_t build_id[PERFSTAMP_BUILD_ID_MAX];
	uint8_t build_id_size;
	uint8_t reason;        /* why there is no build-id */
	bool snapshot;         /* it existed before recording */
	bool inferred;         /* its load or unload was not observed, but found later */
	bool from_memory;      /* it was loaded from memory (init_module), and not from a file */
	bool init_failed;      /* its init function failed */
	bool unloaded;         /* the module was unloaded */
	int32_t init_result;   /* result of its init function, 0 or -errno */
	uint64_t loaded_ns;    /* 0 also: before recording */
	uint64_t init_done_ns; /* when its init function returned; 0 if it has none */
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
	/* Mappings with neither a build-id nor a cookie, by reason. */
	uint64_t unidentified[PERFSTAMP_REASON_COUNT];
	uint64_t samples;
	uint64_t samples_user_identified; /* user ip in a mapping with a build-id or cookie */
	/* User ip in a mapping that has no identity; of these: */
	uint64_t samples_user_unidentified;
	uint64_t samples_user_anonymous; /* in memory without a file: JIT code */
	uint64_t samples_user_unmapped;  /* user ip in no known mapping */
	uint64_t samples_kernel;         /* kernel ip in a known kernel map; of these: */
	uint64_t samples_kernel_image;   /* in the kernel's image */
	uint64_t samples_kernel_module;  /* in a module */
	uint64_t samples_kernel_symbol;  /* in what has a name only: BPF, trampolines */
	/* Kernel ip in a known kernel map that has neither build-id nor a BPF program's tag. */
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
	uint32_t sighting; /* index; UINT32_MAX: in no sighting */
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

#endif
