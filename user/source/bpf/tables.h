/* SPDX-License-Identifier: GPL-2.0-only */
/* The memory of the tables of BPF programs. */
#ifndef PERFSTAMP_SOURCE_BPF_TABLES_H
#define PERFSTAMP_SOURCE_BPF_TABLES_H

struct bpf_map;

/*
 * Before it is loaded: has a hash table take the memory of an entry when there is one, and
 * not that of all at once. Does nothing where the kernel allows that only for other
 * programs. An entry that the kernel has no memory for is refused, as one that the table
 * has no room for. Returns 0 or -errno.
 */
int bpf_tables__grow(struct bpf_map *table);

#endif
