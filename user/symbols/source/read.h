/* SPDX-License-Identifier: GPL-2.0-only */
/* The child of texts.c: finds the files, verifies them, and answers. Runs only in that process. */
#ifndef PERFSTAMP_SYMBOLS_SOURCE_READ_H
#define PERFSTAMP_SYMBOLS_SOURCE_READ_H

#include <stdint.h>
#include <stdio.h>

#include "user/symbols/source/query.h"

enum source_answers { /* The first byte of each answer; PROGRESS is another one. */
	/*
	 * For each file in turn: struct source_answer; if that has an origin, then struct
	 * source_text and the text for each of its lines.
	 */
	SOURCE_ONE = 'S',
	SOURCE_END = 'E', /* struct source_outcome */
};

struct source_answer {
	uint8_t origin;
	uint8_t lack;
};

struct source_text {
	uint8_t there; /* 0: the file has fewer lines */
	uint8_t cut;
	uint16_t len;
};

void source_read(FILE *out, const struct symbols_options *options, const struct symbols_dso *dso,
	const struct source_want *wants, size_t n);

#endif
