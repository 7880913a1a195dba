/* SPDX-License-Identifier: GPL-2.0-only */
/* The child of code.c: finds the file, disassembles, and answers. Runs only in that process. */
#ifndef PERFSTAMP_SYMBOLS_CODE_READ_H
#define PERFSTAMP_SYMBOLS_CODE_READ_H

#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#include "user/model/profile/annotation.h"
#include "user/symbols/query.h"

#define CODE_TEXT_MAX 1024
/* bytes of a function that are disassembled; the rest is skipped */
#define CODE_SIZE_MAX (1u << 20)

enum code_answers {     /* The first byte of each answer; PROGRESS is another one. */
	CODE_ONE = 'I', /* struct code_one, the text, and the path of the source */
	CODE_END = 'E', /* struct code_outcome */
};

struct code_one {
	uint64_t offset, address;
	struct symbol_source source; /* its path follows as text */
	uint16_t text_len, path_len;
	uint8_t size;
};

struct code_outcome {
	uint8_t lack;          /* enum code_lack */
	uint64_t offset, size; /* as in struct code */
	char file[PATH_MAX];
};

void code_read(FILE *out, const struct symbols_options *options, const struct symbols_dso *dso,
	uint64_t offset, bool intel);

/*
 * Called in the parent, because a confined child cannot load the disassembler library. If the
 * library is not installed, the child reports that.
 */
void code_read__load(void);

#endif
