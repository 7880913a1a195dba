/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The BPF object that reads content from a disk when it is mapped (bpf/faulting.bpf.c), on
 * kernels that support it. It shares the maps of the main object.
 */
#ifndef PERFSTAMP_SOURCE_BPF_FAULTING_H
#define PERFSTAMP_SOURCE_BPF_FAULTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bpf_faulting;

/* Parts of the main object, which is loaded. The caller keeps the descriptors. */
struct bpf_faulting_target {
	int scratch_fd;
	int ring_fd;
	int counters_fd;
	int stash_fd;
	int shares_fd;
	int lost_by_cgroup_fd;
	int on_cold_fd; /* where the hook jumps to */
	bool multi;     /* the hook is a kprobe.multi */
	uint64_t wakeup_bytes;
	uint64_t divided_bytes;
	uint64_t divided_entries;
	bool wakes_for_files;
	uint64_t vmemmap_base;
	uint64_t direct_map_base;
	uint64_t held_sb;
	int64_t tai_offset;
};

/* Whether the kernel's version is new enough to try. */
bool bpf_faulting__is_worth_trying(void);

/*
 * Loads the object and connects it to the hook. Returns 0 or -errno; the hook then works
 * without it.
 */
int bpf_faulting__new(struct bpf_faulting **ret, const struct bpf_faulting_target *target);
/* Stash entries of another epoch are not used. */
void bpf_faulting__set_epoch(struct bpf_faulting *faulting, uint64_t epoch);
void bpf_faulting__free(struct bpf_faulting *faulting);

/*
 * Returns true if the kernel lacks a function that the object needs, with a text for an
 * administrator in @why (@size bytes). Reads all of the kernel's BTF.
 */
bool bpf_faulting__what_is_missing(char *why, size_t size);

#endif
