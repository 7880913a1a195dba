/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What user space knows about the architecture, and passes to the BPF programs: the other
 * half of bpf/arch.h.
 */
#ifndef PERFSTAMP_SOURCE_BPF_ARCH_H
#define PERFSTAMP_SOURCE_BPF_ARCH_H

#include <unistd.h>

#if defined(__x86_64__)

/* The page size is always the same. */
#define BPF_ARCH_SET_PAGE_SIZE(skel) ((void)(skel))
#define BPF_ARCH_HAS_PAGE_SIZE(size) ((size) == 4096)
/* Steps of ARCH_DIRECT_MAP_ALIGN below the current task in which memory can be: 16 TiB. */
#define BPF_ARCH_LOCATE_TRIES 16384

#else

/* @skel: a skeleton that is opened and not loaded. */
#define BPF_ARCH_SET_PAGE_SIZE(skel)                                                               \
	((void)((skel)->rodata->page_shift = __builtin_ctzl(sysconf(_SC_PAGESIZE))))
#define BPF_ARCH_HAS_PAGE_SIZE(size) ((size) >= 4096 && (size) <= 65536)
/*
 * 256 TiB, because the memory of a second socket may begin there, with none below it. The higher
 * the memory is, the longer the search takes.
 */
#define BPF_ARCH_LOCATE_TRIES (1u << 19)

#endif

#endif
