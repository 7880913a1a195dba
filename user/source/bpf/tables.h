/* SPDX-License-Identifier: GPL-2.0-only */
/* The memory of the tables of BPF programs. */
#ifndef PERFSTAMP_SOURCE_BPF_TABLES_H
#define PERFSTAMP_SOURCE_BPF_TABLES_H

struct bpf_map;

/*
 * Called before loading: makes a hash table allocate entries when they are added, and not
 * all of them in advance. Does nothing if the kernel does not allow this for tracing
 * programs. Without memory, adding an entry fails as in a full table. Returns 0 or -errno.
 */
int bpf_tables__grow(struct bpf_map *table);
/*
 * Does the same for a table by pid or tid, and limits its entries to the number of pids
 * (kernel.pid_max): the kernel takes 16 bytes for each entry at once.
 */
int bpf_tables__grow_by_pid(struct bpf_map *table);

#endif
