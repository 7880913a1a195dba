/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The child of unwind.c, and the messages between the two. Runs only in that process,
 * because files may crash it.
 */
#ifndef PERFSTAMP_SYMBOLS_UNWIND_READ_H
#define PERFSTAMP_SYMBOLS_UNWIND_READ_H

#include "user/model/profile/code_names.h"
#include "user/symbols/unwind/query.h"

#define UNWIND_SLOTS 64 /* sets of mappings that the child keeps */

#define UNWIND_REGS_MAX 32

/* Registers by DWARF's numbers, of x86-64 or AArch64. */
struct unwind_registers {
	uint64_t v[UNWIND_REGS_MAX];
	uint64_t n;
	uint64_t pc;
	uint64_t sp;
	uint64_t machine; /* EM_X86_64 or EM_AARCH64 */
};

enum unwind_what {
	UNWIND_SET,    /* the .size mappings that follow replace those of the slot */
	UNWIND_SAMPLE, /* a sample of the slot; its stack of .size bytes follows */
};

struct unwind_request {
	uint32_t what;
	uint32_t slot;
	uint64_t size;
	uint64_t swap; /* the stack is in the other byte order */
	uint64_t pid;
	uint64_t time_ns;
	struct unwind_registers regs;
};

/* The answers to a sample: any number of PROGRESS and UNWIND_SAID, then UNWIND_ANSWER. */
enum unwind_message {
	UNWIND_SAID = 'F',   /* struct unwind_outcome */
	UNWIND_ANSWER = 'A', /* struct unwind_answer, and .n addresses */
};

struct unwind_answer {
	uint32_t end;
	uint32_t n;
};

struct unwind_job {
	const struct symbols_options *options;
	const struct symbols_dso *dsos;
	size_t n;
	const struct code_names *code_names; /* sealed; NULL: there are none */
};

/* As confined_options.run; @job is a struct unwind_job. */
void unwind_read(void *job, int fd);

#endif
