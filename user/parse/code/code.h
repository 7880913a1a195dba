/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What runtimes write about the code that they make: perf map files, as
 * tools/perf/Documentation/jit-interface.txt has them, and jitdumps, as
 * jitdump-specification.txt does. Both are read as streams, in pieces cut anywhere, and
 * both are untrusted: what is not a line, or not a record, is counted and passed over. Pure.
 */
#ifndef PERFSTAMP_PARSE_CODE_H
#define PERFSTAMP_PARSE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"

#define CODE_NAME_MAX 4096 /* bytes of a function's name, the NUL included; the rest is cut */

struct code_name {
	uint64_t addr;
	uint64_t size;    /* bytes; more than 0, and addr + size does not overflow */
	const char *name; /* valid during the call; NULL: that of the code at .moved_from */
	uint64_t moved_from;
	/* Of a jitdump: when it was written. */
	uint64_t time_ns;
};

/* A function, or one that moved. 0, or a negative error number that ends the parsing. */
typedef int code_name_fn(void *ctx, const struct code_name *name);

struct code_stream {
	bool dump;
	bool skips;         /* the rest of a line that is too long */
	bool headed;        /* the dump's header was read */
	bool bad;           /* no more of it can be understood */
	bool swap;          /* the dump is of the other byte order */
	bool no_times;      /* its times are of the CPU's counter */
	uint64_t pass;      /* bytes of the dump that are to be passed over */
	uint64_t n_bad;     /* lines and records that were passed over */
	struct buffer rest; /* of the piece before: an incomplete line or record */
};

void code_stream__init(struct code_stream *stream, bool dump);
void code_stream__free(struct code_stream *stream);
/* The next bytes. 0, -ENOMEM, or what @fn returned. */
int code_stream__feed(
	struct code_stream *stream, const void *bytes, size_t size, code_name_fn *fn, void *ctx);
/*
 * Bytes are missing here: a map file goes on with its next line. Of a dump nothing more can
 * be understood, since its records have no marks.
 */
void code_stream__gap(struct code_stream *stream);

#endif
