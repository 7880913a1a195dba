/* SPDX-License-Identifier: GPL-2.0-only */
/* How far the stacks of samples were unwound. */
#ifndef PERFSTAMP_MODEL_UNWINDING_H
#define PERFSTAMP_MODEL_UNWINDING_H

#include <stdint.h>

enum unwind_end {
	UNWIND_WHOLE,   /* with the outermost function */
	UNWIND_FILE,    /* in a DSO whose file does not exist */
	UNWIND_STACK,   /* where the copy of the stack ends */
	UNWIND_DEEP,    /* with as many frames as are unwound */
	UNWIND_TABLE,   /* in code without unwind tables, or at what is no code */
	UNWIND_MACHINE, /* at once: its registers are not those of x86-64 or AArch64 */
	UNWIND_READER,  /* at once: reading the files took too long, or ended the reader */
	UNWIND_ENDS,
};

struct unwinding {
	uint64_t samples[UNWIND_ENDS]; /* by where their unwinding ended */
};

#endif
