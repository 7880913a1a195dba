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
	uint64_t base;                      /* address of .stapsdt.base when .pc was written */
	uint64_t semaphore;                 /* 0: none */
	const char *provider, *name, *args; /* strings in the note */
};

/* Parses @note of a file of 32 or 64 bits as a marker. Returns false for other notes. */
bool sdt__take(const struct elf_note *note, bool is64, bool swap, struct sdt *ret);

/*
 * Appends " arg1=... arg2=..." in tracefs' syntax, for the arguments of an x86-64 file. Returns the
 * number of arguments that tracefs cannot express.
 */
unsigned int sdt__append_args(struct buffer *out, const char *args);

#endif
