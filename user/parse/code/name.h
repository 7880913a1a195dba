/* SPDX-License-Identifier: GPL-2.0-only */
/* A function that a runtime has compiled, as the parsers of map files and jitdumps report it. */
#ifndef PERFSTAMP_PARSE_CODE_NAME_H
#define PERFSTAMP_PARSE_CODE_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CODE_NAME_MAX 4096 /* bytes of a function's name, with the NUL; longer ones are cut */

/*
 * The other data about a function in a jitdump, unparsed: code_lines__next() reads the
 * lines. Valid during the call.
 */
struct code_detail {
	const uint8_t *lines; /* debug entries; NULL: none */
	size_t lines_size;    /* bytes */
	/*
	 * .eh_frame followed by .eh_frame_hdr, as if they were placed 8-aligned behind the code;
	 * NULL: none.
	 */
	const uint8_t *unwind;
	size_t unwind_size;     /* bytes of both */
	size_t unwind_hdr_size; /* bytes of .eh_frame_hdr; 0: none */
	bool swap;              /* lines and unwind are in the other byte order */
};

/* The source line of the code from .addr up to the next .addr. */
struct code_line {
	uint64_t addr;
	uint32_t line;
	const char *file; /* points into the lines */
};

struct code_name {
	uint64_t addr;
	uint64_t size;    /* bytes; more than 0, and addr + size does not overflow */
	const char *name; /* valid during the call; NULL: the name of the code at .moved_from */
	uint64_t moved_from;
	/* In a jitdump: the time at which it was written. */
	uint64_t time_ns;
	const struct code_detail *detail; /* NULL: none */
};

/*
 * Receives a function, new or moved. Returns 0, or a negative error number, which ends the parsing.
 */
typedef int code_name_fn(void *ctx, const struct code_name *name);

#endif
