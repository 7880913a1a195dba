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
#define RING_SIZES_MIN (32u << 10)      /* bytes: a ring of samples, a page at least */
#define RING_SIZES_BPF_MIN (512u << 10) /* bytes: the ring of map records */
#define RING_SIZES_BPF_MAX (64u << 20)  /* bytes */
#define RING_SIZES_BPF_CPU (1u << 20)   /* bytes for each CPU */
#define RING_SIZES_STASH_MIN 8192       /* files: more than most machines execute */
#define RING_SIZES_STASH_CPU 256        /* the kernel keeps half of that aside for each CPU */
#define RING_SIZES_STASH_BYTES 192      /* of an entry, with what the kernel adds */
#define RING_SIZES_CGROUPS_MIN 2048     /* that have a share of the ring */
#define RING_SIZES_CGROUPS_CPU 256      /* as of the stash */
#define RING_SIZES_CGROUP_BYTES 176 /* of its share and what it lost, with what the kernel adds */

struct ring_sizes_machine {
	uint64_t memory;        /* bytes; 0: not known, which limits nothing */
	uint64_t cpus;          /* on-line */
	uint64_t possible_cpus; /* for which the kernel keeps tables */
	uint64_t page;          /* bytes */
	uint64_t mlock_kb;      /* kernel.perf_event_mlock_kb: perf's default for one CPU */
	uint64_t scratch;       /* bytes that the BPF programs take for each possible CPU */
};

struct ring_sizes {
	size_t pages;    /* of each CPU's ring of samples, a power of two, without its first page */
	size_t bpf_ring; /* bytes, a power of two */
	uint32_t stash;  /* entries */
	uint32_t cgroups; /* that shares of the ring are kept of */
	uint64_t total;   /* bytes that all take */
	int reduced;      /* whether a ring is smaller than its usual default */
};

/* Pure. @n_rings rings of samples; more than there are CPUs are not made. */
void ring_sizes__choose(
	struct ring_sizes *ret, const struct ring_sizes_machine *machine, uint64_t n_rings);

/* This machine. What cannot be found out is 0, or what is usual. */
void ring_sizes__look(struct ring_sizes_machine *ret);

#endif
