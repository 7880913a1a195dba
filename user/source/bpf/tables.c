// SPDX-License-Identifier: GPL-2.0-only
/* See tables.h. */
#include "user/source/bpf/tables.h"

#include <bpf/libbpf.h>
#include <linux/bpf.h>

#include "user/source/machine/release.h"

/*
 * From 6.1 on (commit 34dd3bad1a6f) programs that trace may have such tables: their memory comes
 * from a stock for each CPU, which is filled again where that may wait. Up to 6.5 it has been
 * mended since.
 */
int bpf_tables__grow(struct bpf_map *table)
{
	if (!release__is_from(6, 6))
		return 0;
	return bpf_map__set_map_flags(table, bpf_map__map_flags(table) | BPF_F_NO_PREALLOC);
}
