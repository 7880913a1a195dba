/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses a jitdump in pieces. Does not know streams: the caller keeps the unused rest of a piece,
 * and the counts.
 */
#ifndef PERFSTAMP_PARSE_JITDUMP_H
#define PERFSTAMP_PARSE_JITDUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"
#include "user/base/cursor.h"
#include "user/parse/code/name.h"

/* The position in a dump. Must be zeroed at first. */
struct jitdump {
	bool headed;    /* its header was read */
	bool bad;       /* the rest cannot be parsed */
	bool swap;      /* it has the other byte order */
	bool no_times;  /* its times are those of the CPU's counter */
	uint64_t pass;  /* bytes to skip next */
	uint64_t n_bad; /* records that were skipped */
	/* The bodies of the records that precede the record of their code. */
	struct buffer lines, unwind;
};

/* Frees what it holds. */
void jitdump__free(struct jitdump *dump);

/*
 * Parses all whole records in @bytes; *@ret_used is the number of bytes used. Returns 0 or
 * what @fn returned.
 */
int jitdump__feed(struct jitdump *dump, const void *bytes, size_t size, code_name_fn *fn, void *ctx,
	size_t *ret_used);

/*
 * Reads the next line from @in, a cursor over code_detail.lines. *@file must be NULL at first; it
 * is the file of the previous line. Returns false at the end, or for an invalid line.
 */
bool code_lines__next(struct cursor *in, const char **file, struct code_line *ret);

#endif
