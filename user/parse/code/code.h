/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What runtimes write about the code that they make: perf map files, as
 * tools/perf/Documentation/jit-interface.txt has them, and jitdumps, as
 * jitdump-specification.txt does. Both are read as streams, in pieces cut anywhere, and
 * both are untrusted: what is not a line, or not a record, is counted and skipped. Pure.
 */
#ifndef PERFSTAMP_PARSE_CODE_H
#define PERFSTAMP_PARSE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"
#include "user/parse/code/jitdump.h"
#include "user/parse/code/name.h"

struct code_stream {
	bool dump;
	bool skips; /* the rest of a line that is too long */
	struct jitdump jitdump;
	uint64_t n_bad;     /* lines and records that were skipped */
	struct buffer rest; /* of the piece before: an incomplete line or record */
};

void code_stream__init(struct code_stream *stream, bool dump);
void code_stream__free(struct code_stream *stream);
/* The next bytes. Returns 0, -ENOMEM, or what @fn returned. */
int code_stream__feed(
	struct code_stream *stream, const void *bytes, size_t size, code_name_fn *fn, void *ctx);
/*
 * Bytes are missing here: a map file goes on with its next line. Of a dump nothing more can
 * be understood, since its records have no marks.
 */
void code_stream__gap(struct code_stream *stream);

#endif
