/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests for source files of a DSO, and answers: shared by the requesting side and the
 * child. Does not know either.
 */
#ifndef PERFSTAMP_SYMBOLS_SOURCE_QUERY_H
#define PERFSTAMP_SYMBOLS_SOURCE_QUERY_H

#include <stdbool.h>

#include "user/model/profile/sources.h"
#include "user/symbols/query.h"

#define SOURCE_FILE_MAX (16u << 20) /* bytes; a larger file is not source code */
#define SOURCE_TEXT_MAX 4096        /* bytes of a line; the rest is cut off */

struct source_want {
	struct source_file *file;
	/* path and MD5, which are the same for all of its lines */
	const struct symbol_source *source;
};

struct source_outcome {
	bool server_failed;          /* another request would take as long */
	char said[SYMBOLS_SAID_MAX]; /* error text of a server or its library, or "" */
};

#endif
