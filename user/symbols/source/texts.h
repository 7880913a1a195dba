/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text of source lines: of the DSO's build, from a debuginfod, or of the file at the
 * path on this machine. Files are found and read by a child, bounded in time and memory:
 * servers may not answer, and paths are the debug information's, which may name anything.
 */
#ifndef PERFSTAMP_SYMBOLS_SOURCE_TEXTS_H
#define PERFSTAMP_SYMBOLS_SOURCE_TEXTS_H

#include <stddef.h>

#include "user/base/error.h"
#include "user/symbols/source/query.h"

/*
 * Fills in texts, origins and lacks of files that one DSO was compiled from. Of @dso its
 * identity counts, and whether that is shared. Returns 0, or -errno if no child could be
 * made.
 */
int source_texts__read(const struct symbols_options *options, const struct symbols_dso *dso,
	const struct source_want *wants, size_t n, struct source_outcome *ret_outcome,
	struct error *err);

#endif
