/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads counters of BPF programs and the kernel. Knows maps, not their contents. */
#ifndef PERFSTAMP_SOURCE_BPF_COUNTERS_H
#define PERFSTAMP_SOURCE_BPF_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

struct bpf_object;

/*
 * The sums of all CPUs' values of the map @fd, a PERCPU_ARRAY with one entry of @n u64, which one
 * system call reads. Returns 0 or -errno.
 */
int bpf_counters__sums(int fd, uint64_t *ret, size_t n);

/*
 * How often the loaded programs of @obj were not run because one was running on that CPU
 * (from Linux 5.12 on, commit 9ed9e9ba2337; 0 before).
 */
uint64_t bpf_counters__recursion_misses(struct bpf_object *obj);

/*
 * Removes keys with their values from the map @fd (a HASH of u64 by u64): up to @max of
 * {key, value}. Returns how many. Before Linux 5.14, what is counted between reading and
 * removing one is lost.
 */
size_t bpf_counters__take(int fd, uint64_t (*ret)[2], size_t max);

#endif
