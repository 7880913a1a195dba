/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ELF notes, in a PT_NOTE segment, in /sys/kernel/notes or in /sys/module/NAME/notes. Format: the
 * ELF gABI, "Note Section". Notes with 8-byte alignment are read as in elfutils and binutils. Pure.
 */
#ifndef PERFSTAMP_PARSE_ELF_NOTE_H
#define PERFSTAMP_PARSE_ELF_NOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ELF_BUILD_ID_MAX 20 /* longer ones are refused, as in perf.data */

struct elf_note {
	uint32_t type;
	const char *name; /* name_size bytes, usually with a NUL */
	uint32_t name_size;
	const void *desc;
	uint32_t desc_size;
};

struct elf_notes {
	const uint8_t *bytes;
	size_t size;
	size_t at;
	unsigned int align; /* 4 or 8: the segment's p_align */
	bool swap;          /* the notes are in the other byte order */
};

void elf_notes__init(
	struct elf_notes *notes, const void *bytes, size_t size, unsigned int align, bool swap);
/* Returns 1, 0 at the end, or -EBADMSG for a note that extends beyond the end. */
int elf_notes__next(struct elf_notes *notes, struct elf_note *ret);

/*
 * Finds the first GNU build-id (NT_GNU_BUILD_ID of owner "GNU") of 1 to ELF_BUILD_ID_MAX bytes.
 * Returns its size; -ENOENT if there is none; -E2BIG if there are only longer ones; -EBADMSG if the
 * notes are truncated before one was found.
 */
int elf_notes__build_id(const void *bytes, size_t size, unsigned int align, bool swap,
	uint8_t ret[ELF_BUILD_ID_MAX]);

#define ELF_PACKAGE_MAX 4096 /* bytes of the text, including its NUL */

/*
 * Copies the text of the first package metadata (type 0xcafe1a7e of owner "FDO", JSON: UAPI.8, "ELF
 * Package Metadata"). The text may be anything. Returns its length; -ENOENT if there is none;
 * -E2BIG if it is too long; -EBADMSG as above.
 */
int elf_notes__package(
	const void *bytes, size_t size, unsigned int align, bool swap, char ret[ELF_PACKAGE_MAX]);

#endif
