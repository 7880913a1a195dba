/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stores the symbols of the running kernel and its modules in perf's cache, so that a
 * recording can be resolved on another machine.
 */
#ifndef PERFSTAMP_RECORD_CAPTURE_H
#define PERFSTAMP_RECORD_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"

struct capture_counts {
	size_t files;   /* modules whose file is stored, or was before */
	size_t symbols; /* modules of which only symbols are stored: no file has their build-id */
	size_t failed;  /* modules that are not stored: .why has the last reason */
	struct error why;
};

/*
 * Puts /proc/kallsyms into the store at @store by the kernel's build-id, the same symbols
 * as an ELF file, since perf 7.2 takes this machine's kallsyms for every kernel's, and each
 * loaded module by its own: its file, decompressed, or an ELF file of its symbols. Returns
 * 0, or -errno if the kernel's symbols are not kept: -ENODATA without a build-id, -EPERM
 * where its addresses are hidden. @ret_counts is set in each case. Without @elf the ELF
 * file of the kernel's symbols is skipped: perf prefers it to code that capture__kcore()
 * has kept.
 */
int capture__kernel(
	const char *store, bool elf, struct capture_counts *ret_counts, struct error *err);

/*
 * Puts the module @name, which has just been loaded, into the store, if it does not exist:
 * its file at @path. Returns 0; -EBADMSG if the file has another build-id by now; or
 * -errno.
 */
int capture__module(const char *store, const char *name, const uint8_t *build_id, size_t size,
	const char *path, struct error *err);

#endif
