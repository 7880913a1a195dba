// SPDX-License-Identifier: GPL-2.0-only
/* See build_id.h. */
#include "user/parse/elf/build_id.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/cursor.h"

#define NOTES_MAX (1u << 20) /* bytes of notes that are read of one segment or section */
#define NOTE_PARTS_MAX 64    /* segments or sections that are searched */

struct elf_file {
	elf_read_fn *get;
	void *ctx;
	bool is_64;
	bool swap;
};

/* One table of headers: of sections, or of segments. */
struct table {
	uint64_t offset;
	size_t entry_size;
	size_t n;
	bool sections;
};

/*
 * Searches notes. Returns > 0 if it finds what is wanted, or the errors of elf_notes__build_id().
 */
typedef int search_fn(const void *bytes, size_t size, unsigned int align, bool swap, void *ret);

struct search {
	search_fn *fn;
	void *ret;
};

struct part {
	uint64_t offset;
	uint64_t size;
	unsigned int align;
};

static uint64_t take_word(const struct elf_file *file, struct cursor *cursor)
{
	return file->is_64 ? cursor__u64(cursor) : cursor__u32(cursor);
}

/* Whether the header at @bytes describes notes. Stores their place. */
static bool take_header(const struct elf_file *file, const struct table *table,
	const uint8_t *bytes, struct part *ret)
{
	struct cursor cursor;
	uint32_t type;

	cursor__init(&cursor, bytes, table->entry_size, file->swap);
	if (table->sections) {
		cursor__skip(&cursor, 4); /* sh_name */
		type = cursor__u32(&cursor);
		take_word(file, &cursor); /* sh_flags */
		take_word(file, &cursor); /* sh_addr */
		ret->offset = take_word(file, &cursor);
		ret->size = take_word(file, &cursor);
		cursor__skip(&cursor, 8); /* sh_link, sh_info */
		ret->align = take_word(file, &cursor);
		return !cursor.failed && type == SHT_NOTE;
	}
	type = cursor__u32(&cursor);
	if (file->is_64)
		cursor__skip(&cursor, 4); /* p_flags */
	ret->offset = take_word(file, &cursor);
	take_word(file, &cursor); /* p_vaddr */
	take_word(file, &cursor); /* p_paddr */
	ret->size = take_word(file, &cursor);
	take_word(file, &cursor); /* p_memsz */
	if (!file->is_64)
		cursor__skip(&cursor, 4); /* p_flags */
	ret->align = take_word(file, &cursor);
	return !cursor.failed && type == PT_NOTE;
}

static int search_part(
	const struct elf_file *file, const struct part *part, const struct search *search)
{
	uint8_t *notes;
	int code;

	if (!part->size || part->size > NOTES_MAX)
		return -ENOENT;
	notes = malloc(part->size);
	if (!notes)
		return -ENOMEM;
	code = file->get(file->ctx, part->offset, notes, part->size);
	if (!code)
		code = search->fn(
			notes, part->size, part->align == 8 ? 8 : 4, file->swap, search->ret);
	free(notes);
	return code;
}

/*
 * Returns the size of the result, or the reason why there is none. -ENOENT and -EBADMSG are those
 * of the last part that was searched.
 */
static int search_table(
	const struct elf_file *file, const struct table *table, const struct search *search)
{
	uint8_t header[256];
	size_t looked_into = 0;
	int code = -ENOENT;

	if (!table->offset || table->entry_size < 32 || table->entry_size > sizeof(header))
		return code;
	for (size_t i = 0; i < table->n && looked_into < NOTE_PARTS_MAX; i++) {
		struct part part;
		int failed;

		failed = file->get(file->ctx, table->offset + i * table->entry_size, header,
			table->entry_size);
		if (failed)
			return failed;
		if (!take_header(file, table, header, &part))
			continue;
		looked_into++;
		failed = search_part(file, &part, search);
		if (failed > 0 || failed == -ENOMEM)
			return failed;
		if (failed != -ENOENT)
			code = failed;
	}
	return code;
}

static int search_file(elf_read_fn *get, void *ctx, const struct search *search)
{
	struct elf_file file = {.get = get, .ctx = ctx};
	struct table sections = {.sections = true}, segments = {0};
	uint8_t header[sizeof(Elf64_Ehdr)] = {0};
	struct cursor cursor;
	int code, other;

	/* A 32-bit file may be shorter than a 64-bit header. */
	code = get(ctx, 0, header, sizeof(header));
	if (code)
		code = get(ctx, 0, header, sizeof(Elf32_Ehdr));
	if (code || memcmp(header, ELFMAG, SELFMAG) != 0)
		return code && code != -EBADMSG ? code : -ENOEXEC;
	if ((header[EI_CLASS] != ELFCLASS64 && header[EI_CLASS] != ELFCLASS32) ||
		(header[EI_DATA] != ELFDATA2LSB && header[EI_DATA] != ELFDATA2MSB))
		return -ENOEXEC;
	file.is_64 = header[EI_CLASS] == ELFCLASS64;
	file.swap = (header[EI_DATA] == ELFDATA2MSB) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	cursor__init(&cursor, header, sizeof(header), file.swap);
	cursor__skip(&cursor, EI_NIDENT + 2 + 2 + 4); /* e_type, e_machine, e_version */
	take_word(&file, &cursor);                    /* e_entry */
	segments.offset = take_word(&file, &cursor);
	sections.offset = take_word(&file, &cursor);
	cursor__skip(&cursor, 4 + 2); /* e_flags, e_ehsize */
	segments.entry_size = cursor__u16(&cursor);
	segments.n = cursor__u16(&cursor);
	sections.entry_size = cursor__u16(&cursor);
	sections.n = cursor__u16(&cursor);
	/*
	 * Sections come first, because the segments of a debug file refer to data that it does not
	 * have.
	 */
	code = search_table(&file, &sections, search);
	if (code > 0 || code == -ENOMEM)
		return code;
	other = search_table(&file, &segments, search);
	if (other < 0 && code != -ENOENT)
		other = code;
	return other == -ENOENT ? -ENODATA : other;
}

static int search_build_id(const void *bytes, size_t size, unsigned int align, bool swap, void *ret)
{
	return elf_notes__build_id(bytes, size, align, swap, ret);
}

int elf_build_id__read(elf_read_fn *get, void *ctx, uint8_t ret[ELF_BUILD_ID_MAX])
{
	const struct search search = {search_build_id, ret};

	return search_file(get, ctx, &search);
}

static int search_package(const void *bytes, size_t size, unsigned int align, bool swap, void *ret)
{
	return elf_notes__package(bytes, size, align, swap, ret);
}

int elf_package__read(elf_read_fn *get, void *ctx, char ret[ELF_PACKAGE_MAX])
{
	const struct search search = {search_package, ret};

	return search_file(get, ctx, &search);
}

struct memory {
	const uint8_t *bytes;
	size_t size;
};

static int read_memory(void *ctx, uint64_t offset, void *dst, size_t size)
{
	const struct memory *memory = ctx;

	if (offset > memory->size || size > memory->size - offset)
		return -EBADMSG;
	memcpy(dst, memory->bytes + offset, size);
	return 0;
}

int elf_build_id__of(const void *bytes, size_t size, uint8_t ret[ELF_BUILD_ID_MAX])
{
	struct memory memory = {.bytes = bytes, .size = size};

	return elf_build_id__read(read_memory, &memory, ret);
}
