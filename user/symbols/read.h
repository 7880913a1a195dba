/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The child of symbols.c: finds the files, reads them, and writes its answers to a stream,
 * in the format that symbols.c reads. Runs only in that process, because files may crash
 * it.
 */
#ifndef PERFSTAMP_STORE_SYMBOLS_READ_H
#define PERFSTAMP_STORE_SYMBOLS_READ_H

#include <stdio.h>

#include "user/symbols/query.h"

enum symbols_answer { /* The first byte of each answer; PROGRESS is another one. */
	/*
	 * For each address in turn: struct symbols_one, name, line and source; then for each
	 * inlined function struct symbols_one_inlined, its name and the path of its call.
	 */
	SYMBOLS_ONE = 'S',
	SYMBOLS_END = 'E', /* struct symbols_outcome */
};

struct symbols_one {
	uint8_t origin;
	uint8_t lack;
	uint16_t name_len; /* 0: none */
	uint16_t line_len;
	uint16_t source_len;
	uint16_t n_inlined;
	uint8_t has_address;
	uint64_t address;
	struct symbol_source source; /* its path follows as text */
};

struct symbols_one_inlined {
	uint16_t name_len;
	uint16_t path_len; /* 0: none */
	uint32_t line;
};

#define SYMBOLS_TEXT_MAX 16384 /* longer names are truncated */
#define SYMBOLS_INLINED_MAX 64 /* deeper inlined functions are skipped */

void symbols_read(FILE *out, const struct symbols_options *options, const struct symbols_dso *dso,
	const uint64_t *offsets, size_t n);

#endif
