/* SPDX-License-Identifier: GPL-2.0-only */
/* The kinds of files that an entry of the store may have. */
#ifndef PERFSTAMP_STORE_CACHE_KIND_H
#define PERFSTAMP_STORE_CACHE_KIND_H

enum cache_kind {
	CACHE_ELF,
	CACHE_DEBUG,
	CACHE_VDSO,
	CACHE_KALLSYMS,
	CACHE_KCORE, /* in directories that also have the kallsyms and modules of the same moment */
	CACHE_PROBES,
	CACHE_N_KINDS,
};

#endif
