/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The instructions of one function in one content, with the number of samples in each. Pure: the
 * caller fills in instructions and source lines.
 */
#ifndef PERFSTAMP_MODEL_ANNOTATION_H
#define PERFSTAMP_MODEL_ANNOTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/model/profile/rows.h"
#include "user/model/profile/samples.h"
#include "user/model/profile/sources.h"
#include "user/model/profile/symbol.h"

struct report;

/* The reason why there are no instructions. */
enum code_lack {
	CODE_LACKS_NOTHING,
	CODE_LACKS_FILE,    /* no file with this identity was found */
	CODE_LACKS_BYTES,   /* only its symbols were found, but no code */
	CODE_LACKS_CONTENT, /* it was made at run time, and is in no file */
	CODE_LACKS_SYMBOL,  /* the file has no symbol at this address */
	CODE_LACKS_MACHINE, /* there is no disassembler for its architecture */
	CODE_LACKS_LIBRARY, /* the disassembler library is not installed */
	CODE_LACKS_READER,  /* reading the file took too long, or the reader process ended */
	CODE_LACKS,
};

struct instruction {
	uint64_t offset;  /* see struct model_place */
	uint64_t address; /* as in the file */
	uint8_t size;     /* bytes */
	char *text;
	struct symbol_source source; /* .path is NULL if it is not known */
	uint32_t line;               /* the line's index in .lines of .source_file */
	uint32_t source_file;        /* index in .sources of the code, or SAMPLES_NONE */
};

/* The code of a function. */
struct code {
	struct instruction *v; /* by offset */
	size_t n;
	/* Files of the lines; .text is set if the file can be read. */
	struct source_file *sources;
	size_t n_sources;
	enum code_lack lack;
	char *file;            /* the path that it was read from; NULL: none */
	uint64_t offset, size; /* the function, as in struct model_place; size 0: not known */
};

struct annotation {
	uint32_t event;
	uint32_t place; /* any place in the function, for its DSO and its name */
	const struct code *code;
	uint64_t *n, *period; /* by instruction */
	/* Of the whole function, with samples outside of the instructions. */
	uint64_t all_n, all_period;
};

/*
 * Whether the byte at @offset of the DSO is in the function. Without symbols from the file, a
 * function is only a name, so this is true for all offsets.
 */
bool code__has(const struct code *code, uint64_t offset);

/*
 * Counts the samples of @event in the function that contains @place. A sample counts if the rows of
 * @report contain it, and the frame that it counts for there is in the same DSO, in a function of
 * the same name, and in @code. Returns 0 or -ENOMEM. The caller frees @ret in either case.
 */
int annotation__count(struct annotation *ret, const struct code *code,
	const struct samples *samples, const struct resolved *resolved, const struct report *report,
	uint32_t place, uint32_t event);
void annotation__free(struct annotation *annotation);
/* Fills .sources with the lines of the instructions, without their texts. Returns 0 or -ENOMEM. */
int code__find_sources(struct code *code);
void code__free(struct code *code);

#endif
