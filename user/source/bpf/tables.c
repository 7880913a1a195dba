// SPDX-License-Identifier: GPL-2.0-only
/* See tables.h. */
#include "user/source/bpf/tables.h"

#include <bpf/libbpf.h>
#include <linux/bpf.h>

#include "user/source/machine/release.h"
#include "user/source/proc/file.h"

/*
 * From 6.1 on (commit 34dd3bad1a6f), tracing programs may use such tables: memory comes
 * from a per-CPU reserve, which is refilled in a context that may sleep. It had bugs up to
 * 6.5.
 */
int bpf_tables__grow(struct bpf_map *table)
{
	if (!release__is_from(6, 6))
		return 0;
	return bpf_map__set_map_flags(table, bpf_map__map_flags(table) | BPF_F_NO_PREALLOC);
}

int bpf_tables__grow_by_pid(struct bpf_map *table)
{
	int64_t numbers;
	int code = 0;

	if (!proc_file__number(&numbers, "/proc/sys/kernel/pid_max") && numbers > 0 &&
		(uint64_t)numbers < bpf_map__max_entries(table))
		code = bpf_map__set_max_entries(table, numbers);
	return code ? code : bpf_tables__grow(table);
}
