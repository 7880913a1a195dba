/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The results of a model as plain structs: sightings and their lives, modules, the ledger, places.
 * Knows neither the tables that fill them in, nor their readers.
 */
#ifndef PERFSTAMP_MODEL_FACTS_H
#define PERFSTAMP_MODEL_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/event/event.h"

/*
 * One DSO content seen at one path, from its first mapping to its last. Times in between without a
 * mapping are kept only after model__follow_lives().
 *
 * Two identities at one path are two sightings. Build-id and cookie both count. If an identity has
 * neither, device, inode, generation and size count. So a file that was first seen without its
 * build-id and later with it becomes two sightings: nothing proves that both have the same content.
 */
struct sighting {
	uint32_t index; /* in order of appearance */
	const char *path;
	struct perfstamp_identity identity; /* the identity of its first mapping */
	/*
	 * Files with one build-id can differ. .n_contents is the number of contents (different
	 * cookies) with this build-id at any path; above 1, the build-id alone does not identify
	 * what was mapped. .content is the number of this content, from 1; 0: no cookie, so it may
	 * be any of them.
	 */
	uint32_t n_contents;
	uint32_t content;
	/*
	 * The sighting has no build-id, and several files with its cookie replaced one another at
	 * its path. They may differ in bytes that the cookie does not cover.
	 */
	bool several_files;
	bool kernel;
	bool symbol; /* kernel text that only has a name, in .path: BPF, trampolines */
	/* Such a symbol, "[MODULE].init.text", which is a part of a module's life. */
	bool init_text;
	bool alive;        /* still mapped at the end of the stream */
	uint64_t first_ns; /* time of its first mapping; 0: before recording */
	/* End of its last mapping. While it is mapped, the time of the newest event. */
	uint64_t last_ns;
	/*
	 * Map events without repetitions. Repetitions are a PERFSTAMP_MAP_SNAPSHOT record inside a
	 * known mapping, and the live record of a mapping that a snapshot reported first.
	 */
	uint64_t mappings;
	uint64_t samples;
	uint64_t frames; /* its entries in call chains and, if these are followed, in stacks */
	/*
	 * The exact number of distinct pids that mapped it, or that inherited it by fork and did
	 * more than call exec. A pid that was reused counts once. .pids has the first 1,024 of them
	 * in order of appearance.
	 */
	size_t n_processes;
	size_t n_pids;
	const uint32_t *pids;
	size_t n_cgroups; /* exact; .cgroup_ids has all of them */
	const uint64_t *cgroup_ids;
	size_t n_mnt_ns; /* the same for mount namespaces, by inode number */
	const uint64_t *mnt_ns;
};

/*
 * Times in ns. .begin_ns is 0 if it began before recording; .end_ns is UINT64_MAX if it has not
 * ended.
 */
struct model_span {
	uint64_t begin_ns;
	uint64_t end_ns;
};

/* A sighting took over its path from another content. */
struct model_switch {
	uint64_t time_ns;
	uint32_t replaced; /* the index of the sighting that had the path before */
};

/* The life of a sighting in detail (model__follow_lives). */
struct sighting_lives {
	/*
	 * The times in which it was mapped, in order. At most 64: beyond that, the shortest gaps
	 * are closed.
	 */
	const struct model_span *mapped;
	size_t n_mapped;
	uint64_t n_merged; /* gaps that were closed */
	/*
	 * The times in which new processes found another content at its path. It may still have
	 * been mapped then.
	 */
	const struct model_span *outdated;
	size_t n_outdated;
	/*
	 * The times at which it took over its path from another content in the same mount
	 * namespace: the first 64, in order of appearance.
	 */
	const struct model_switch *switches;
	size_t n_switches;
	uint64_t n_all_switches;
};

/*
 * A kernel module from its load to its unload. Each load of the same module has its own entry. A
 * time is 0 if it is not known.
 */
struct module_life {
	const char *name;
	const char *path; /* path of its file; "[NAME]" if it is not known */
	uint64_t addr;    /* address of its text */
	uint64_t len;     /* bytes */
	uint8_t build_id[PERFSTAMP_BUILD_ID_MAX];
	uint8_t build_id_size;
	uint8_t reason;        /* the reason why it has no build-id */
	bool snapshot;         /* it existed before recording */
	bool inferred;         /* its load or unload was not observed, but detected later */
	bool from_memory;      /* it was loaded from memory (init_module), and not from a file */
	bool init_failed;      /* its init function failed */
	bool unloaded;         /* the module was unloaded */
	int32_t init_result;   /* result of its init function, 0 or -errno */
	uint64_t loaded_ns;    /* 0: before recording, or not known */
	uint64_t init_done_ns; /* when its init function returned; 0 if it has none */
	uint64_t unloaded_ns;
	uint64_t samples; /* with an address in its text */
};

/*
 * The ledger: every executable mapping in user space has an identity or a reason. .maps is the sum
 * of .by_source and .by_reason. Unlike the mappings of a sighting, it counts every record, because
 * each record has to contain an identity.
 */
struct model_ledger {
	uint64_t events;
	uint64_t maps; /* executable mappings in user space */
	/* With a build-id, by its source; 0: not known. */
	uint64_t by_source[PERFSTAMP_SOURCE_COUNT];
	uint64_t by_reason[PERFSTAMP_REASON_COUNT]; /* without a build-id, by reason; 0 is unused */
	uint64_t cookies;                           /* without a build-id, but with a cookie */
	/* Mappings with neither a build-id nor a cookie, by reason. */
	uint64_t unidentified[PERFSTAMP_REASON_COUNT];
	uint64_t samples;
	uint64_t samples_user_identified; /* address in a mapping with a build-id or cookie */
	/* User address in a mapping without an identity; of these: */
	uint64_t samples_user_unidentified;
	uint64_t samples_user_anonymous; /* in memory without a file: JIT code */
	uint64_t samples_user_unmapped;  /* user address in no known mapping */
	uint64_t samples_kernel;         /* kernel address in a known kernel map; of these: */
	uint64_t samples_kernel_image;   /* in the kernel's image */
	uint64_t samples_kernel_module;  /* in a module */
	uint64_t samples_kernel_symbol;  /* in text that only has a name: BPF, trampolines */
	/*
	 * Kernel address in a known kernel map that has neither a build-id nor the tag of a BPF
	 * program.
	 */
	uint64_t samples_kernel_unidentified;
	uint64_t samples_kernel_unmapped;
	uint64_t samples_other;    /* hypervisor, guest */
	uint64_t lost_records;     /* sum of LOST records */
	uint64_t lost_samples;     /* sum of LOST_SAMPLES records */
	uint64_t n_processes;      /* distinct pids, without 0 */
	uint64_t shared_build_ids; /* build-ids with more than one content */
};

/* The kind of text that an address is in. */
enum model_text {
	MODEL_TEXT_NONE, /* in no known mapping */
	MODEL_TEXT_USER,
	MODEL_TEXT_KERNEL, /* the image */
	MODEL_TEXT_MODULE,
	MODEL_TEXT_SYMBOL, /* text that only has a name: BPF, trampolines */
};

struct model_place {
	enum model_text text;
	bool in_kernel;
	uint32_t sighting; /* index; UINT32_MAX: in no sighting */
	/*
	 * USER: offset in the file. KERNEL: offset from the symbol that perf counts from, or from
	 * the start of the image. MODULE and SYMBOL: offset from the start of the text. NONE: the
	 * address itself.
	 */
	uint64_t offset;
	uint64_t start; /* the mapping: its first address, its length, its offset in the file */
	uint64_t len;
	uint64_t pgoff;
};

#endif
