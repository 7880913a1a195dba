/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The BPF programs as a source: chooses the best rung that can be attached on this kernel,
 * returns map records as they are made, takes the start-up snapshot, and counts losses.
 * Does not know perf events or files.
 */
#ifndef PERFSTAMP_SOURCE_BPF_H
#define PERFSTAMP_SOURCE_BPF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "perfstamp/record.h"
#include "user/base/error.h"
#include "user/source/bpf/records.h"
#include "user/source/bpf/rung.h"

struct bpf_source;
struct task_tree;

struct bpf_source_options {
	struct task_tree *tree; /* only its processes; must outlive the source. NULL: all */
	bool wakes_for_files;   /* the first mapping of a file cannot wait for the next round */
	size_t ring_size; /* bytes, a power of two and of whole pages; 0: machine/ring_sizes.h */
	enum rung best;   /* rungs before this one are not tried */
	enum rung last;   /* rungs after this one are not tried */
};

struct bpf_losses {
	uint64_t records;          /* put into the ring; not a loss */
	uint64_t ring_full;        /* dropped: the ring had no room */
	uint64_t recursion_misses; /* not seen: a program was running on that CPU */
	uint64_t lookup_failed;    /* sys_exit rung: the mapping could not be looked up */
};

/*
 * Loads and attaches. @ret_attempts (RUNG_COUNT entries, or NULL) describes each rung, also
 * on failure. Returns 0; -EPERM without CAP_BPF and CAP_PERFMON; -ENOENT if the kernel has
 * no BTF; else the last rung's error.
 */
int bpf_source__new(struct bpf_source **ret, const struct bpf_source_options *options,
	struct rung_attempt *ret_attempts, struct error *err);
void bpf_source__free(struct bpf_source *source);

enum rung bpf_source__rung(const struct bpf_source *source);
/* Whether the page cache can be read, so that records contain identities. */
bool bpf_source__reads_page_cache(const struct bpf_source *source);
/* Whether content that is not in memory is read from its disk when it is mapped. */
bool bpf_source__reads_cold_pages(const struct bpf_source *source);

/* Whether bpf_source__snapshot can list mappings: from Linux 5.12 on. */
bool bpf_source__has_snapshot(const struct bpf_source *source);

/*
 * Returns a descriptor with the lines of /proc/kallsyms for symbols without a module's text
 * section. Any thread may read it; the caller closes it. Before Linux 6.0, the result is
 * -EOPNOTSUPP. After this or another -errno, the caller must read /proc/kallsyms itself.
 */
int bpf_source__open_symbols(const struct bpf_source *source);

/* How full the ring was at the last drain; 1 if it was full, or more records arrived meanwhile. */
double bpf_source__fill(const struct bpf_source *source);
size_t bpf_source__ring_size(const struct bpf_source *source); /* bytes */
/* For poll, with EPOLLET: signalled when the ring is filled to its threshold. */
int bpf_source__fd(const struct bpf_source *source);
/* Passes on at least the records that are in the ring when it is called. Returns 0 or -errno. */
int bpf_source__drain(struct bpf_source *source, bpf_record_fn fn, void *ctx);

/*
 * Calls @fn for every thread (PERFSTAMP_RECORD_THREAD) and then for every executable mapping
 * (PERFSTAMP_MAP_SNAPSHOT) of the recorded processes, or of @pid alone if @pid is not 0. Returns 0
 * or -errno with @err; -EOPNOTSUPP without bpf_source__has_snapshot.
 */
int bpf_source__snapshot(
	struct bpf_source *source, pid_t pid, bpf_record_fn fn, void *ctx, struct error *err);

/* How often the programs found an identity, or tried to read one. */
struct bpf_identities {
	uint64_t read;    /* from the page cache */
	uint64_t stashed; /* known from an earlier reading: bpf/stash.h */
};

/* Invalidates the stash, because the clock was set. */
void bpf_source__forget_identities(struct bpf_source *source);

/* These are sums since the start. */
void bpf_source__identities(const struct bpf_source *source, struct bpf_identities *ret);
void bpf_source__losses(const struct bpf_source *source, struct bpf_losses *ret);

/*
 * Returns the numbers of records for which the ring was full, by the cgroup of the process, as up
 * to @max pairs of {id of the cgroup, records}, and resets these numbers. The result is the number
 * of pairs. A .ring_full that is read later includes all these records, and those of cgroups for
 * which the table was full.
 */
size_t bpf_source__take_cgroup_losses(struct bpf_source *source, uint64_t (*ret)[2], size_t max);

#endif
