/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ELF images of functions made at run time, with the unwind tables of their jitdump, which
 * libdwfl reads like files. A part of read, for its child's use only.
 */
#ifndef PERFSTAMP_SYMBOLS_UNWIND_CODE_H
#define PERFSTAMP_SYMBOLS_UNWIND_CODE_H

#include <libelf.h>
#include <stdint.h>

#include "user/model/profile/code_names.h"

#define UNWIND_CODE_START 4096 /* where an image has its function: address, and offset */

struct unwind_code;

/* A function's image. */
struct unwind_image {
	uint64_t addr; /* of the function in its process */
	uint64_t size; /* bytes */
	Elf *elf;      /* valid as long as the struct unwind_code */
	void *owner;   /* what the caller keeps about it; NULL at first */
};

/* @names may be NULL. NULL: out of memory. */
struct unwind_code *unwind_code__new(const struct code_names *names);
/* What @pid had at @addr then, as code of @machine (EM_X86_64). NULL: no function is known there,
 * or it has no tables. */
struct unwind_image *unwind_code__find(
	struct unwind_code *code, uint16_t machine, uint32_t pid, uint64_t addr, uint64_t time_ns);

#endif
