/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text of source lines, from a debuginfod that has the DSO's build, or from the file at the
 * path on this machine. A child with limits of time and memory finds and reads the files: servers
 * may not answer, and the paths in debug information may name anything.
 */
#ifndef PERFSTAMP_SYMBOLS_SOURCE_TEXTS_H
#define PERFSTAMP_SYMBOLS_SOURCE_TEXTS_H

#include <stddef.h>

#include "user/base/error.h"
#include "user/symbols/source/query.h"

/*
 * Fills in texts, origins and reasons for the files from which one DSO was compiled. Of @dso, only
 * its identity and .shared are used. Returns 0, or -errno if no child could be started.
 */
int source_texts__read(const struct symbols_options *options, const struct symbols_dso *dso,
	const struct source_want *wants, size_t n, struct source_outcome *ret_outcome,
	struct error *err);

#endif
