/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads this machine's nodes, caches, memory and PMUs from /sys, as the bytes of perf's
 * header features.
 */
#ifndef PERFSTAMP_SOURCE_HARDWARE_H
#define PERFSTAMP_SOURCE_HARDWARE_H

#include "user/base/buffer.h"

/*
 * Appends the bytes of feature @id: HEADER_NUMA_TOPOLOGY, _CACHE, _MEM_TOPOLOGY, _PMU_MAPPINGS or
 * _CPU_PMU_CAPS. Returns 0; -ENODATA if the machine does not report it, or reports more than fits
 * into a record of a pipe; -ENOTSUP for another @id; -ENOMEM.
 */
int hardware__describe(struct buffer *out, unsigned int id);

#endif
