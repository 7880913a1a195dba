// SPDX-License-Identifier: GPL-2.0-only
/*
 * See note.h. Anyone can forge sizes in files, so each is checked in 64 bits before it is used.
 */
#include "user/parse/elf/note.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

#define NOTE_HEADER_SIZE 12 /* Elf32_Nhdr and Elf64_Nhdr are the same */

void elf_notes__init(
	struct elf_notes *notes, const void *bytes, size_t size, unsigned int align, bool swap)
{
	notes->bytes = bytes;
	notes->size = size;
	notes->at = 0;
	/* Compilers and linkers also write 0, 1 and 2, which mean 4. */
	notes->align = align == 8 ? 8 : 4;
	notes->swap = swap;
}

static uint32_t load_u32(const struct elf_notes *notes, size_t at)
{
	uint32_t value;

	memcpy(&value, notes->bytes + at, sizeof(value));
	return notes->swap ? __builtin_bswap32(value) : value;
}

static uint64_t align_up(uint64_t value, unsigned int align)
{
	return (value + align - 1) & ~(uint64_t)(align - 1);
}

int elf_notes__next(struct elf_notes *notes, struct elf_note *ret)
{
	uint64_t name, desc, end;

	/* Bytes that are too few for a header are padding. */
	if (notes->size - notes->at < NOTE_HEADER_SIZE)
		return 0;
	ret->name_size = load_u32(notes, notes->at);
	ret->desc_size = load_u32(notes, notes->at + 4);
	ret->type = load_u32(notes, notes->at + 8);
	name = (uint64_t)notes->at + NOTE_HEADER_SIZE;
	desc = align_up(name + ret->name_size, notes->align);
	end = desc + ret->desc_size;
	/* A note without descriptor may end with its unpadded name. */
	if (name + ret->name_size > notes->size || (ret->desc_size && end > notes->size))
		return -EBADMSG;
	ret->name = (const char *)notes->bytes + name;
	ret->desc = ret->desc_size ? notes->bytes + desc : NULL;
	end = align_up(end, notes->align);
	/* The padding of the last note may be missing. */
	notes->at = end < notes->size ? end : notes->size;
	return 1;
}

int elf_notes__build_id(const void *bytes, size_t size, unsigned int align, bool swap,
	uint8_t ret[ELF_BUILD_ID_MAX])
{
	struct elf_notes notes;
	struct elf_note note;
	bool too_long = false;
	int r;

	elf_notes__init(&notes, bytes, size, align, swap);
	while ((r = elf_notes__next(&notes, &note)) > 0) {
		if (note.type != NT_GNU_BUILD_ID || note.name_size != sizeof(ELF_NOTE_GNU) ||
			memcmp(note.name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) || !note.desc_size)
			continue;
		if (note.desc_size > ELF_BUILD_ID_MAX) {
			too_long = true;
			continue;
		}
		memcpy(ret, note.desc, note.desc_size);
		return note.desc_size;
	}
	if (r)
		return r;
	return too_long ? -E2BIG : -ENOENT;
}

#define NOTE_PACKAGE 0xcafe1a7e
#define NOTE_FDO "FDO"

int elf_notes__package(
	const void *bytes, size_t size, unsigned int align, bool swap, char ret[ELF_PACKAGE_MAX])
{
	struct elf_notes notes;
	struct elf_note note;
	int r;

	elf_notes__init(&notes, bytes, size, align, swap);
	while ((r = elf_notes__next(&notes, &note)) > 0) {
		if (note.type != NOTE_PACKAGE || note.name_size != sizeof(NOTE_FDO) ||
			memcmp(note.name, NOTE_FDO, sizeof(NOTE_FDO)) || !note.desc_size)
			continue;
		if (note.desc_size >= ELF_PACKAGE_MAX)
			return -E2BIG;
		memcpy(ret, note.desc, note.desc_size);
		ret[note.desc_size] = '\0';
		return (int)strlen(ret) > 0 ? (int)strlen(ret) : -ENOENT;
	}
	return r ? r : -ENOENT;
}
