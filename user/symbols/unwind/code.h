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

#define UNWIND_CODE_START 4096 /* address and offset of the function in an image */

struct unwind_code;

/* The ELF image of one function. */
struct unwind_image {
	uint64_t addr; /* address of the function in its process */
	uint64_t size; /* bytes */
	Elf *elf;      /* valid as long as the struct unwind_code */
	void *owner;   /* for the caller's use, freed with the image; NULL at first */
};

/* @names may be NULL. Returns NULL if memory is exhausted. */
struct unwind_code *unwind_code__new(const struct code_names *names);
/*
 * Finds the function that @pid had at @addr at that time, as code of @machine (EM_X86_64). Returns
 * NULL if no function is known there, or if it has no unwind tables.
 */
struct unwind_image *unwind_code__find(
	struct unwind_code *code, uint16_t machine, uint32_t pid, uint64_t addr, uint64_t time_ns);
/* Frees all images, too: no Dwfl may use them any more. */
void unwind_code__free(struct unwind_code *code);

#endif
