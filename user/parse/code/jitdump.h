/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A jitdump, read in pieces. Does not know any stream: who calls keeps what is left of a
 * piece, and the counts.
 */
#ifndef PERFSTAMP_PARSE_JITDUMP_H
#define PERFSTAMP_PARSE_JITDUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"
#include "user/base/cursor.h"
#include "user/parse/code/name.h"

/* How far a dump was read. All 0 at its start. */
struct jitdump {
	bool headed;    /* its header was read */
	bool bad;       /* no more of it can be understood */
	bool swap;      /* it is of the other byte order */
	bool no_times;  /* its times are of the CPU's counter */
	uint64_t pass;  /* bytes that follow and are to be skipped */
	uint64_t n_bad; /* records that were skipped */
	/* The bodies of the records that stand before that of the code which they are about. */
	struct buffer lines, unwind;
};

/* Frees what it holds. */
void jitdump__free(struct jitdump *dump);

/* All whole records in @bytes; *@ret_used of them were taken. 0 or what @fn returned. */
int jitdump__feed(struct jitdump *dump, const void *bytes, size_t size, code_name_fn *fn, void *ctx,
	size_t *ret_used);

/*
 * The next line of @in, which is on a code_detail's lines; *@file begins as NULL, and is the
 * file of the line before. False at the end, or where it is no line.
 */
bool code_lines__next(struct cursor *in, const char **file, struct code_line *ret);

#endif
