/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names of functions at addresses in one DSO: from files whose identity is
 * that of what was mapped, and from no other. Files are read by a child, bounded in
 * time and memory, since what is in them may make a reader loop or crash.
 */
#ifndef PERFSTAMP_STORE_SYMBOLS_H
#define PERFSTAMP_STORE_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/symbols/query.h"

/*
 * To be called while this process is small, before it reads a recording: starts the process that
 * forks the children, once. Without it each child is a fork of this process, and takes longer.
 */
void symbols__prepare(void);

/*
 * Fills @ret for the @n addresses at @offsets. What has no name says why. Returns 0, or
 * -errno if no child could be made. Free with symbols__free.
 */
int symbols__resolve(const struct symbols_options *options, const struct symbols_dso *dso,
	const uint64_t *offsets, size_t n, struct symbol *ret, struct symbols_outcome *ret_outcome,
	struct error *err);
void symbols__free(struct symbol *symbols, size_t n);

#endif
