/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stores the symbols of the running kernel and its modules in perf's cache, so that a
 * recording can be resolved on another machine.
 */
#ifndef PERFSTAMP_RECORD_CAPTURE_SYMBOLS_H
#define PERFSTAMP_RECORD_CAPTURE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"

struct capture_counts {
	size_t files; /* modules whose file is stored, or already was */
	/* modules of which only symbols are stored, because no file has their build-id */
	size_t symbols;
	size_t failed; /* modules that are not stored; .why has the last reason */
	struct error why;
};

/*
 * Stores /proc/kallsyms in the store at @store under the kernel's build-id. Also stores the same
 * symbols as an ELF file, because perf 7.2 uses this machine's kallsyms for every kernel. Each
 * loaded module is stored under its own build-id: its file, decompressed, or an ELF file of its
 * symbols. Without @elf the ELF file of the kernel's symbols is skipped, because perf prefers it to
 * code that capture__kcore() has stored. Returns 0, or -errno if the kernel's symbols are not
 * stored: -ENODATA without a build-id, -EPERM if addresses are hidden. @ret_counts is set in each
 * case.
 */
int capture__kernel(
	const char *store, bool elf, struct capture_counts *ret_counts, struct error *err);

/*
 * Stores the file @path of the module @name, which has just been loaded, if the store does not have
 * it. Returns 0; -EBADMSG if the file has another build-id now; or -errno.
 */
int capture__module(const char *store, const char *name, const uint8_t *build_id, size_t size,
	const char *path, struct error *err);

#endif
