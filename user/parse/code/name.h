/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A function that a runtime has made, as map files and jitdumps name it: what the parsers
 * of both hand out.
 */
#ifndef PERFSTAMP_PARSE_CODE_NAME_H
#define PERFSTAMP_PARSE_CODE_NAME_H

#include <stdint.h>

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

#endif
