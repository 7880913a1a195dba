/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text of source lines: of a DSO's own build from a debuginfod, or of what is at the
 * path here. Files are found and read by a child, bounded in time and memory: servers may
 * not answer, and paths are the debug information's, which may name anything.
 */
#ifndef PERFSTAMP_STORE_SOURCE_TEXTS_H
#define PERFSTAMP_STORE_SOURCE_TEXTS_H

#include <stdbool.h>
#include <stddef.h>

#include "user/model/profile/sources.h"
#include "user/symbols/symbols.h"

#define SOURCE_FILE_MAX (16u << 20) /* bytes; what is larger is nobody's source */
#define SOURCE_TEXT_MAX 4096        /* bytes of a line; the rest is cut off */

struct source_want {
	struct source_file *file;
	const struct symbol_source *source; /* any of its lines: path and MD5 */
};

struct source_outcome {
	bool server_failed;          /* to ask it again would take as long */
	char said[SYMBOLS_SAID_MAX]; /* what a server or its library said; "": nothing */
};

/*
 * Fills in texts, origins and lacks of files that one DSO was compiled from. Of @dso its
 * identity counts, and whether that is shared. Returns 0, or -errno where no child could be
 * made.
 */
int source_texts__read(const struct symbols_options *options, const struct symbols_dso *dso,
	const struct source_want *wants, size_t n, struct source_outcome *ret_outcome,
	struct error *err);

#endif
