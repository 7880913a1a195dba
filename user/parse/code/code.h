/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files that runtimes write about the code that they make: perf map files
 * (tools/perf/Documentation/jit-interface.txt) and jitdumps (jitdump-specification.txt). Both are
 * read as streams, in pieces that may end anywhere. Both are untrusted: a line or record that is
 * invalid is counted and skipped. Pure.
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
	bool skips; /* skipping the rest of a line that is too long */
	struct jitdump jitdump;
	uint64_t n_bad;     /* lines and records that were skipped */
	struct buffer rest; /* the incomplete line or record at the end of the last piece */
};

void code_stream__init(struct code_stream *stream, bool dump);
void code_stream__free(struct code_stream *stream);
/* Parses the next bytes. Returns 0, -ENOMEM, or what @fn returned. */
int code_stream__feed(
	struct code_stream *stream, const void *bytes, size_t size, code_name_fn *fn, void *ctx);
/*
 * Called if bytes are missing here. A map file continues with its next line. The rest of a dump
 * cannot be parsed, because its records have no marks.
 */
void code_stream__gap(struct code_stream *stream);

#endif
