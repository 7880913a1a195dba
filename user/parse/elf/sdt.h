/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SDT markers: notes "stapsdt" of type 3, as <sys/sdt.h> of SystemTap leaves them in
 * .note.stapsdt (https://sourceware.org/systemtap/wiki/UserSpaceProbeImplementation).
 * Pure.
 */
#ifndef PERFSTAMP_PARSE_SDT_H
#define PERFSTAMP_PARSE_SDT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"
#include "user/parse/elf/note.h"

struct sdt {
	uint64_t pc;
	uint64_t base;                      /* where .stapsdt.base was when @pc was written */
	uint64_t semaphore;                 /* 0: none */
	const char *provider, *name, *args; /* in the note, each with its NUL */
};

/* @note as a marker, of a file of 64 bits, in the other byte order. False for any other note. */
bool sdt__take(const struct elf_note *note, bool is64, bool swap, struct sdt *ret);

/*
 * Appends " arg1=... arg2=..." as tracefs takes it, for the arguments of an x86-64 file. Returns
 * how many were left out, since tracefs has no words for them.
 */
unsigned int sdt__append_args(struct buffer *out, const char *args);

#endif
