/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Default sizes of the rings and tables of a recording. Their memory grows with the number
 * of CPUs, so they are smaller on a machine with many CPUs and little memory.
 * docs/large-machines.md has the calculation.
 */
#ifndef PERFSTAMP_SOURCE_MACHINE_RING_SIZES_H
#define PERFSTAMP_SOURCE_MACHINE_RING_SIZES_H

#include <stddef.h>
#include <stdint.h>

/* Shares of the machine's memory: one for rings of samples, and an equal one for BPF programs. */
#define RING_SIZES_SHARE 100            /* at most this fraction of the memory, each */
#define RING_SIZES_MIN (32u << 10)      /* bytes of a ring of samples; a page at least */
#define RING_SIZES_BPF_MIN (512u << 10) /* bytes of the ring of map records */
#define RING_SIZES_BPF_MAX (64u << 20)  /* bytes */
#define RING_SIZES_BPF_CPU (1u << 20)   /* bytes for each CPU */
#define RING_SIZES_STASH_MIN 8192       /* files: more than most machines execute */
#define RING_SIZES_STASH_CPU 256        /* the kernel reserves half of these for each CPU */
#define RING_SIZES_STASH_BYTES 192      /* bytes of an entry, with the kernel's own */
#define RING_SIZES_CGROUPS_MIN 2048     /* cgroups that have a share of the ring */
#define RING_SIZES_CGROUPS_CPU 256      /* like those of the stash */
/* Bytes of a cgroup's share and losses, with the kernel's own. */
#define RING_SIZES_CGROUP_BYTES 176

struct ring_sizes_machine {
	uint64_t memory;        /* bytes; 0: not known, and not a limit */
	uint64_t cpus;          /* on-line CPUs */
	uint64_t possible_cpus; /* CPUs for which the kernel has tables */
	uint64_t page;          /* bytes of a page */
	uint64_t mlock_kb;      /* kernel.perf_event_mlock_kb: perf's default for one CPU */
	uint64_t scratch;       /* bytes that the BPF programs take for each possible CPU */
};

struct ring_sizes {
	/* Of each CPU's ring of samples, a power of two, without its first page. */
	size_t pages;
	size_t bpf_ring;  /* bytes, a power of two */
	uint32_t stash;   /* entries */
	uint32_t cgroups; /* cgroups whose shares of the ring are kept */
	uint64_t total;   /* bytes of all together */
	int reduced;      /* whether a ring is smaller than its usual default */
};

/* Only computes. @n_rings rings of samples, but not more than there are CPUs. */
void ring_sizes__choose(
	struct ring_sizes *ret, const struct ring_sizes_machine *machine, uint64_t n_rings);

/* Describes this machine. A value that cannot be found out is 0, or a usual one. */
void ring_sizes__look(struct ring_sizes_machine *ret);

#endif
