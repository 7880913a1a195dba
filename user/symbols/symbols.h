/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the names of functions at addresses in one DSO, only from files with the identity of the
 * mapped one. A child with limits of time and memory reads the files, because their content may
 * make a reader loop or crash.
 */
#ifndef PERFSTAMP_STORE_SYMBOLS_H
#define PERFSTAMP_STORE_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/symbols/query.h"

/*
 * Starts the process that forks the children, once. Call this while the calling process is small,
 * before it reads a recording. Without it, each child is forked from the calling process, which
 * takes longer.
 */
void symbols__prepare(void);

/*
 * Fills @ret for the @n addresses at @offsets. Entries without a name have the reason. Returns 0,
 * or -errno if no child could be started. Free with symbols__free.
 */
int symbols__resolve(const struct symbols_options *options, const struct symbols_dso *dso,
	const uint64_t *offsets, size_t n, struct symbol *ret, struct symbols_outcome *ret_outcome,
	struct error *err);
void symbols__free(struct symbol *symbols, size_t n);

#endif
