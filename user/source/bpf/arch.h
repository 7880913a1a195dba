/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What user space knows about the architecture, and passes to the BPF programs: the other
 * half of bpf/arch.h.
 */
#ifndef PERFSTAMP_SOURCE_BPF_ARCH_H
#define PERFSTAMP_SOURCE_BPF_ARCH_H

#include <unistd.h>

#if defined(__x86_64__)

/* There is no other. */
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
 * 256 TiB: the frames of a second socket begin there, with nothing before. It takes as long as
 * the memory is high.
 */
#define BPF_ARCH_LOCATE_TRIES (1u << 19)

#endif

#endif
