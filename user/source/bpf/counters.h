/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads counters of BPF programs and the kernel. Knows maps, not their contents. */
#ifndef PERFSTAMP_SOURCE_BPF_COUNTERS_H
#define PERFSTAMP_SOURCE_BPF_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

struct bpf_map;
struct bpf_object;

/* The counters of a BPF map with one entry for each CPU. */
struct bpf_counters {
	const uint64_t *values; /* NULL: not mapped */
	size_t entry;           /* u64 of each CPU */
	size_t cpus;            /* entries, by CPU number */
};

/* Called before loading: gives the map an entry for each CPU number that is possible. Returns 0 or
 * -errno. */
int bpf_counters__size(struct bpf_map *map);
/*
 * Maps the memory of the map @fd, an ARRAY with BPF_F_MMAPABLE of entries of u64, so that
 * reading it takes no system call. Returns 0, or -errno and maps nothing.
 */
int bpf_counters__map(struct bpf_counters *ret, int fd);
void bpf_counters__unmap(struct bpf_counters *counters);
/* Sums the first @n values of all CPUs in @ret. */
void bpf_counters__sums(const struct bpf_counters *counters, uint64_t *ret, size_t n);

/*
 * Returns how often the loaded programs of @obj were not run because one was running on that CPU.
 * The kernel counts this from 5.12 on (commit 9ed9e9ba2337), and for kprobes from 6.7 on. A kprobe
 * can also be prevented by another process's system call on a BPF map.
 */
uint64_t bpf_counters__recursion_misses(struct bpf_object *obj);

/*
 * Removes up to @max keys with their values from the map @fd (a HASH of u64 by u64), stores them as
 * {key, value} and returns their number. Before Linux 5.14, what is counted between reading an
 * entry and removing it is lost.
 */
size_t bpf_counters__take(int fd, uint64_t (*ret)[2], size_t max);

#endif
