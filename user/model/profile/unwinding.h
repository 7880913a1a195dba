/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts how far the stacks of samples were unwound. */
#ifndef PERFSTAMP_MODEL_UNWINDING_H
#define PERFSTAMP_MODEL_UNWINDING_H

#include <stdint.h>

enum unwind_end {
	UNWIND_WHOLE,   /* at the outermost function: the stack is complete */
	UNWIND_FILE,    /* in a DSO whose file was not found */
	UNWIND_STACK,   /* at the end of the copy of the stack */
	UNWIND_DEEP,    /* at the limit of frames */
	UNWIND_TABLE,   /* in code without unwind tables, or outside of code */
	UNWIND_MACHINE, /* at once: the registers are not those of x86-64 or AArch64 */
	UNWIND_READER,  /* at once: reading the files took too long, or the reader process ended */
	UNWIND_ENDS,
};

struct unwinding {
	uint64_t samples[UNWIND_ENDS]; /* by the reason why unwinding ended */
};

#endif
