// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes odd ELF files, byte by byte, so that readers of build-ids can be held
 * against what no linker would write: elf_gen KIND ID-HEX FILE... The id may have any
 * length; "-" is none. Regular kinds of this machine's class can be opened with
 * dlopen; all can be mapped executable. On x86-64 those that the kernel takes for
 * programs can be executed: they wait for a signal, or with an argument exit at once.
 * Knows nothing of who reads them.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/tools/elf_gen_machine.h"
#include "tests/lib/tool.h"

#define PAGE 4096
#define ID_MAX 4096
#define EXEC_BASE 0x400000 /* where a file of ET_EXEC wants to be */
#define ALIGN_UP(value, to) (((value) + (to)-1) / (to) * (to))

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define NATIVE_BIG true
#else
#define NATIVE_BIG false
#endif

struct shape;

/* The file in the making, and where its parts are. */
struct image {
	int fd;
	bool swap;
	bool is_32;
	uint64_t size;       /* bytes written so far, holes included */
	uint64_t base;       /* address of its first byte, if it is not moved */
	uint64_t code;       /* offset */
	uint64_t phdrs;      /* offset of the program headers */
	uint64_t note_phdr;  /* offset of the one of the notes with the id */
	uint64_t notes;      /* offset of these notes */
	uint64_t notes_size; /* bytes */
	uint64_t note;       /* offset of the note with the id */
	const uint8_t *id;
	size_t id_size;
};

struct shape {
	const char *name;
	const char *what;
	uint64_t phdrs_at; /* 0: behind the ELF header */
	uint64_t notes_at; /* 0: behind the dynamic section */
	uint32_t fillers;  /* unused program headers before the notes' */
	uint32_t notes;    /* other notes before the one with the id, 20 bytes each */
	uint32_t segments; /* note segments without an id, before */
	uint32_t align;    /* of the note segment; 0: 4 */
	uint16_t type;     /* 0: ET_DYN */
	bool is_32;
	bool other_endian;
	bool no_segment; /* no PT_NOTE */
	bool irregular;  /* nothing for dlopen */
	void (*spoil)(struct image *image);
};

static void write_at(struct image *image, uint64_t at, const void *bytes, size_t size)
{
	if (pwrite(image->fd, bytes, size, at) != (ssize_t)size)
		fail("write");
	if (at + size > image->size)
		image->size = at + size;
}

static void put(struct image *image, uint64_t at, uint64_t value, unsigned int size)
{
	uint8_t bytes[8];

	for (unsigned int i = 0; i < size; i++)
		bytes[NATIVE_BIG != image->swap ? size - 1 - i : i] = value >> (8 * i);
	write_at(image, at, bytes, size);
}

static void cut(struct image *image, uint64_t size)
{
	if (ftruncate(image->fd, size))
		fail("ftruncate");
	image->size = size;
}

/* ---- Parts ---- */

/* The fields that both classes have, by their offsets in the class of the image. */
#define FIELD(image, type, member)                                                                 \
	((image)->is_32 ? offsetof(Elf32_##type, member) : offsetof(Elf64_##type, member)),        \
		((image)->is_32 ? sizeof(((Elf32_##type *)0)->member)                              \
				: sizeof(((Elf64_##type *)0)->member))
#define SIZE(image, type) ((image)->is_32 ? sizeof(Elf32_##type) : sizeof(Elf64_##type))

static void put_field(
	struct image *image, uint64_t base, size_t offset, size_t size, uint64_t value)
{
	put(image, base + offset, value, size);
}

#define PUT(image, base, type, member, value)                                                      \
	put_field(image, base, FIELD(image, type, member), value)

static void put_ehdr(struct image *image, const struct shape *shape, uint32_t phnum)
{
	uint8_t ident[EI_NIDENT] = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3,
		image->is_32 ? ELFCLASS32 : ELFCLASS64,
		NATIVE_BIG != image->swap ? ELFDATA2MSB : ELFDATA2LSB, EV_CURRENT};

	write_at(image, 0, ident, sizeof(ident));
	PUT(image, 0, Ehdr, e_type, shape->type ? shape->type : ET_DYN);
	PUT(image, 0, Ehdr, e_machine, image->is_32 ? ELF_GEN_MACHINE_32 : ELF_GEN_MACHINE_64);
	PUT(image, 0, Ehdr, e_version, EV_CURRENT);
	PUT(image, 0, Ehdr, e_entry, image->base + image->code);
	PUT(image, 0, Ehdr, e_phoff, image->phdrs);
	PUT(image, 0, Ehdr, e_flags, image->is_32 ? ELF_GEN_FLAGS_32 : 0);
	PUT(image, 0, Ehdr, e_ehsize, SIZE(image, Ehdr));
	PUT(image, 0, Ehdr, e_phentsize, SIZE(image, Phdr));
	PUT(image, 0, Ehdr, e_phnum, phnum);
	PUT(image, 0, Ehdr, e_shentsize, SIZE(image, Shdr));
}

static void put_phdr(struct image *image, uint64_t at, uint32_t type, uint32_t flags,
	uint64_t offset, uint64_t size, uint64_t align)
{
	PUT(image, at, Phdr, p_type, type);
	PUT(image, at, Phdr, p_flags, flags);
	PUT(image, at, Phdr, p_offset, offset);
	PUT(image, at, Phdr, p_vaddr, image->base + offset);
	PUT(image, at, Phdr, p_paddr, image->base + offset);
	PUT(image, at, Phdr, p_filesz, size);
	PUT(image, at, Phdr, p_memsz, size);
	PUT(image, at, Phdr, p_align, align);
}

/* Returns the offset behind the note, padded. */
static uint64_t put_note(struct image *image, uint64_t at, const char *name, uint32_t type,
	const void *desc, size_t desc_size, uint32_t align)
{
	uint32_t name_size = strlen(name) + 1;
	uint64_t desc_at = at + ALIGN_UP(sizeof(Elf32_Nhdr) + name_size, align);

	put(image, at, name_size, 4);
	put(image, at + 4, desc_size, 4);
	put(image, at + 8, type, 4);
	write_at(image, at + sizeof(Elf32_Nhdr), name, name_size);
	/* The padding is there, even if the file ends with it. */
	cut(image, desc_at + ALIGN_UP(desc_size, align) > image->size
			   ? desc_at + ALIGN_UP(desc_size, align)
			   : image->size);
	write_at(image, desc_at, desc, desc_size);
	return desc_at + ALIGN_UP(desc_size, align);
}

/* What dlopen wants: an empty symbol table, with a string table. */
static uint64_t put_dynamic(struct image *image, uint64_t at)
{
	uint64_t tables = at + 5 * SIZE(image, Dyn);
	const uint64_t entries[][2] = {
		{DT_STRTAB, tables},
		{DT_STRSZ, 1},
		{DT_SYMTAB, tables},
		{DT_SYMENT, SIZE(image, Sym)},
		{DT_NULL, 0},
	};

	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
		PUT(image, at + i * SIZE(image, Dyn), Dyn, d_tag, entries[i][0]);
		PUT(image, at + i * SIZE(image, Dyn), Dyn, d_un, entries[i][1]);
	}
	cut(image, tables + SIZE(image, Sym));
	return ALIGN_UP(image->size, 16);
}

/* A program of the machine's own code. */
static uint64_t put_code(struct image *image, uint64_t at)
{
	const struct elf_gen_code *code = image->is_32 ? &ELF_GEN_CODE_32 : &ELF_GEN_CODE_64;

	image->code = at;
	write_at(image, at, code->bytes, code->size);
	return ALIGN_UP(image->size, 16);
}

/* ---- A whole file ---- */

static void put_notes(struct image *image, const struct shape *shape)
{
	uint32_t align = shape->align == 8 ? 8 : 4;
	uint64_t at = image->notes;

	for (uint32_t i = 0; i < shape->notes; i++)
		at = put_note(image, at, "GNU", NT_GNU_ABI_TAG, "abi!", 4, align);
	image->note = at;
	if (image->id)
		at = put_note(image, at, "GNU", NT_GNU_BUILD_ID, image->id, image->id_size, align);
	image->notes_size = at - image->notes;
}

static void put_elf(struct image *image, const struct shape *shape)
{
	uint32_t phnum = 3 + shape->fillers + shape->segments + !shape->no_segment;
	size_t table = (size_t)phnum * SIZE(image, Phdr);
	uint64_t dynamic, behind, other, at;
	uint8_t *zeros = calloc(1, table);

	if (!zeros)
		fail("calloc");
	image->base = shape->type == ET_EXEC ? EXEC_BASE : 0;
	image->phdrs = shape->phdrs_at ? shape->phdrs_at : SIZE(image, Ehdr);
	/* PT_NULL, all of them; written, so that the pages are no holes. */
	write_at(image, image->phdrs, zeros, table);
	free(zeros);
	dynamic = ALIGN_UP(image->size, 16);
	behind = put_code(image, put_dynamic(image, dynamic));
	other = behind;
	if (shape->segments)
		behind = put_note(image, other, "Other", 7, "1234567", 8, 4);
	image->notes = shape->notes_at ? shape->notes_at : behind;
	put_notes(image, shape);
	cut(image, ALIGN_UP(image->size, 4));

	put_ehdr(image, shape, phnum);
	at = image->phdrs;
	/*
	 * The loader wants segments aligned to the kernel's pages; a program that has more than
	 * that may be mapped twice.
	 */
	put_phdr(image, at, PT_LOAD, PF_R | PF_X, 0, image->size, sysconf(_SC_PAGESIZE));
	at += SIZE(image, Phdr);
	/* Not writable: then the loader relocates nothing in it (glibc from 2.35 on). */
	put_phdr(image, at, PT_DYNAMIC, PF_R, dynamic, 5 * SIZE(image, Dyn), 8);
	at += SIZE(image, Phdr);
	/* Without it the loader would make the stack executable. */
	put_phdr(image, at, PT_GNU_STACK, PF_R | PF_W, 0, 0, 16);
	at += SIZE(image, Phdr) * (1 + shape->fillers);
	for (uint32_t i = 0; i < shape->segments; i++, at += SIZE(image, Phdr))
		put_phdr(image, at, PT_NOTE, PF_R, other, 28, 4);
	image->note_phdr = at;
	if (!shape->no_segment)
		put_phdr(image, at, PT_NOTE, PF_R, image->notes, image->notes_size,
			shape->align ? shape->align : 4);
	if (shape->spoil)
		shape->spoil(image);
}

/* ---- What is wrong with it ---- */

static void spoil_to_text(struct image *image)
{
	static const char TEXT[] = "#!/bin/sh\necho this is not ELF\n";

	cut(image, 0);
	write_at(image, 0, TEXT, sizeof(TEXT) - 1);
}

static void spoil_to_empty(struct image *image)
{
	cut(image, 0);
}

static void spoil_to_magic(struct image *image)
{
	cut(image, 4);
}

static void spoil_ehdr_cut(struct image *image)
{
	cut(image, 40);
}

static void spoil_phdrs_cut(struct image *image)
{
	cut(image, image->note_phdr + 8);
}

static void spoil_note_header_cut(struct image *image)
{
	cut(image, image->note + 10);
}

static void spoil_id_cut(struct image *image)
{
	cut(image, image->note + 16 + image->id_size / 2);
}

static void spoil_before_notes(struct image *image)
{
	cut(image, image->notes);
}

static void spoil_class(struct image *image)
{
	put(image, EI_CLASS, 3, 1);
}

static void spoil_data(struct image *image)
{
	put(image, EI_DATA, 0, 1);
}

static void spoil_version(struct image *image)
{
	put(image, EI_VERSION, 0, 1);
}

static void spoil_phentsize(struct image *image)
{
	PUT(image, 0, Ehdr, e_phentsize, SIZE(image, Phdr) + 8);
}

static void spoil_phnum(struct image *image)
{
	PUT(image, 0, Ehdr, e_phnum, 60000);
}

static void spoil_phnum_none(struct image *image)
{
	PUT(image, 0, Ehdr, e_phnum, 0);
}

static void spoil_phoff(struct image *image)
{
	PUT(image, 0, Ehdr, e_phoff, image->size + PAGE);
}

static void spoil_phoff_wraps(struct image *image)
{
	PUT(image, 0, Ehdr, e_phoff, UINT64_MAX - 63);
}

static void spoil_filesz(struct image *image)
{
	PUT(image, image->note_phdr, Phdr, p_filesz, 0x7fff0000);
}

static void spoil_filesz_short(struct image *image)
{
	PUT(image, image->note_phdr, Phdr, p_filesz, image->note - image->notes + 20);
}

static void spoil_filesz_none(struct image *image)
{
	PUT(image, image->note_phdr, Phdr, p_filesz, 0);
}

static void spoil_offset(struct image *image)
{
	PUT(image, image->note_phdr, Phdr, p_offset, image->size + PAGE);
}

static void spoil_offset_wraps(struct image *image)
{
	PUT(image, image->note_phdr, Phdr, p_offset, UINT64_MAX - 15);
}

static void spoil_namesz(struct image *image)
{
	put(image, image->note, 0xfffffff0, 4);
}

static void spoil_namesz_short(struct image *image)
{
	put(image, image->note, 3, 4);
}

static void spoil_descsz(struct image *image)
{
	put(image, image->note + 4, 0xfffffff0, 4);
}

static void spoil_descsz_none(struct image *image)
{
	put(image, image->note + 4, 0, 4);
}

static void spoil_earlier_descsz(struct image *image)
{
	put(image, image->notes + 4, 0x10000000, 4);
}

static void spoil_name(struct image *image)
{
	write_at(image, image->note + 12, "GNX", 4);
}

static void spoil_note_type(struct image *image)
{
	put(image, image->note + 8, 4, 4);
}

/* Behind the first id a second one; the first is the one that counts. */
static void spoil_second_id(struct image *image)
{
	uint8_t second[20];

	memset(second, 0x5a, sizeof(second));
	cut(image, ALIGN_UP(image->notes + image->notes_size, 4));
	put_note(image, image->notes + image->notes_size, "GNU", NT_GNU_BUILD_ID, second,
		sizeof(second), 4);
	PUT(image, image->note_phdr, Phdr, p_filesz, image->size - image->notes);
}

/* More headers than e_phnum can count: their number is in section 0. */
static void spoil_phnum_extended(struct image *image)
{
	uint64_t section = ALIGN_UP(image->size, 16);

	cut(image, section + SIZE(image, Shdr));
	PUT(image, section, Shdr, sh_info,
		(image->note_phdr - image->phdrs) / SIZE(image, Phdr) + 1);
	PUT(image, 0, Ehdr, e_shoff, section);
	PUT(image, 0, Ehdr, e_shnum, 1);
	PUT(image, 0, Ehdr, e_phnum, PN_XNUM);
}

/* The note is in a section, and in no segment. */
static void spoil_to_section(struct image *image)
{
	uint64_t section = ALIGN_UP(image->size, 16);

	cut(image, section + 2 * SIZE(image, Shdr));
	PUT(image, section + SIZE(image, Shdr), Shdr, sh_type, SHT_NOTE);
	PUT(image, section + SIZE(image, Shdr), Shdr, sh_offset, image->notes);
	PUT(image, section + SIZE(image, Shdr), Shdr, sh_size, image->notes_size);
	PUT(image, section + SIZE(image, Shdr), Shdr, sh_addralign, 4);
	PUT(image, 0, Ehdr, e_shoff, section);
	PUT(image, 0, Ehdr, e_shnum, 2);
}

static const struct shape SHAPES[] = {
	{"plain", "the note on the first page", .notes = 0},
	{"exec", "ET_EXEC", .type = ET_EXEC, .irregular = true},
	{"rel", "ET_REL with program headers", .type = ET_REL, .irregular = true},
	{"elf32", "32 bits", .is_32 = true, .irregular = true},
	{"elf32-exec", "32 bits, ET_EXEC", .is_32 = true, .type = ET_EXEC, .irregular = true},
	{"other-endian", "the other byte order", .other_endian = true, .irregular = true},
	{"elf32-other-endian", "32 bits, the other byte order", .is_32 = true, .other_endian = true,
		.irregular = true},
	{"cross-desc", "the id crosses a page boundary", .notes_at = PAGE - 24},
	{"cross-name", "the boundary is between the note's header and its name",
		.notes_at = PAGE - 12},
	{"cross-header", "the note's header crosses a page boundary", .notes_at = PAGE - 8},
	{"cross-far", "the id crosses the boundary of a later page, of 4 to 64 KiB",
		.notes_at = 48 * PAGE - 24},
	{"page-1", "the note on the second page", .notes_at = PAGE},
	{"page-3", "the note on a later page", .notes_at = 3 * PAGE + 512},
	{"far", "the note beyond 1 MiB", .notes_at = (1 << 20) + 0x124},
	{"far-4g", "the note beyond 4 GiB, in a sparse file", .notes_at = (4ull << 30) + PAGE,
		.irregular = true},
	{"phdrs-cross", "a program header crosses a page boundary", .phdrs_at = PAGE - 80},
	{"phdrs-far", "the program headers beyond 1 MiB", .phdrs_at = 1 << 20, .irregular = true},
	{"phdrs-200", "200 program headers before", .fillers = 200},
	{"phdrs-300", "300 program headers before", .fillers = 300},
	{"phdrs-66000", "so many that e_phnum cannot count them", .fillers = 66000,
		.irregular = true, .spoil = spoil_phnum_extended},
	{"notes-8", "8 other notes before", .notes = 8},
	{"notes-80", "80 other notes before", .notes = 80},
	{"notes-9000", "9000 other notes before, over many pages", .notes = 9000},
	{"segments-3", "3 other note segments before", .segments = 3},
	{"align-8", "a note segment aligned to 8", .align = 8},
	{"align-8-after", "the same, behind notes that need padding", .align = 8, .notes = 3},
	{"align-1", "a note segment that says alignment 1", .align = 1, .notes = 2},
	{"two-ids", "a second id behind the first", .spoil = spoil_second_id},
	{"none", "no note segment", .no_segment = true},
	{"section", "the note in a section alone", .no_segment = true, .spoil = spoil_to_section,
		.irregular = true},
	{"name", "another owner's note of the same number", .spoil = spoil_name},
	{"note-type", "a GNU note of another number", .spoil = spoil_note_type},
	{"descsz-none", "an id of no bytes", .spoil = spoil_descsz_none},
	{"filesz-none", "an empty note segment", .spoil = spoil_filesz_none},
	{"text", "not ELF", .irregular = true, .spoil = spoil_to_text},
	{"empty", "no bytes", .irregular = true, .spoil = spoil_to_empty},
	{"magic", "ELF's magic and nothing more", .irregular = true, .spoil = spoil_to_magic},
	{"cut-ehdr", "ends in the ELF header", .irregular = true, .spoil = spoil_ehdr_cut},
	{"cut-phdrs", "ends in the program headers", .irregular = true, .spoil = spoil_phdrs_cut},
	{"cut-notes", "ends before its notes", .notes_at = PAGE, .irregular = true,
		.spoil = spoil_before_notes},
	{"cut-note", "ends in the note's header", .irregular = true,
		.spoil = spoil_note_header_cut},
	{"cut-id", "ends in the id", .irregular = true, .spoil = spoil_id_cut},
	{"class", "neither 32 nor 64 bits", .irregular = true, .spoil = spoil_class},
	{"data", "no byte order", .irregular = true, .spoil = spoil_data},
	{"version", "an unknown version of ELF", .irregular = true, .spoil = spoil_version},
	{"phentsize", "program headers of a strange size", .irregular = true,
		.spoil = spoil_phentsize},
	{"phnum", "says more program headers than fit", .irregular = true, .spoil = spoil_phnum},
	{"phnum-none", "says that there are no program headers", .irregular = true,
		.spoil = spoil_phnum_none},
	{"phoff", "program headers beyond the end", .irregular = true, .spoil = spoil_phoff},
	{"phoff-wraps", "program headers that wrap around", .irregular = true,
		.spoil = spoil_phoff_wraps},
	{"filesz", "a note segment that is larger than the file", .irregular = true,
		.spoil = spoil_filesz},
	{"filesz-short", "a note segment that ends in the id", .irregular = true,
		.spoil = spoil_filesz_short},
	{"offset", "a note segment beyond the end", .irregular = true, .spoil = spoil_offset},
	{"offset-wraps", "a note segment that wraps around", .irregular = true,
		.spoil = spoil_offset_wraps},
	{"namesz", "a note's name that is larger than all", .irregular = true,
		.spoil = spoil_namesz},
	{"namesz-short", "a name without its NUL", .irregular = true, .spoil = spoil_namesz_short},
	{"descsz", "an id that is larger than all", .irregular = true, .spoil = spoil_descsz},
	{"earlier-descsz", "an earlier note that is larger than all", .notes = 2, .irregular = true,
		.spoil = spoil_earlier_descsz},
};

#define N_SHAPES (sizeof(SHAPES) / sizeof(SHAPES[0]))

static int list(void)
{
	for (size_t i = 0; i < N_SHAPES; i++)
		printf("%s\t%s\t%s\n", SHAPES[i].name, SHAPES[i].irregular ? "mmap" : "dlopen",
			SHAPES[i].what);
	return 0;
}

static size_t parse_hex(const char *hex, uint8_t *ret)
{
	size_t n;
	int used;

	for (n = 0; hex[2 * n]; n++) {
		if (n == ID_MAX || sscanf(hex + 2 * n, "%2hhx%n", &ret[n], &used) != 1 ||
			used != 2) {
			fprintf(stderr, "elf_gen: not an id in hexadecimal: %s\n", hex);
			exit(2);
		}
	}
	return n;
}

static void make(const char *kind, const char *id_hex, const char *file)
{
	const struct shape *shape = NULL;
	struct image image = {0};
	uint8_t id[ID_MAX];

	for (size_t i = 0; i < N_SHAPES; i++)
		if (!strcmp(SHAPES[i].name, kind))
			shape = &SHAPES[i];
	if (!shape) {
		fprintf(stderr, "elf_gen: no such kind: %s\n", kind);
		exit(2);
	}
	if (strcmp(id_hex, "-") != 0) {
		image.id = id;
		image.id_size = parse_hex(id_hex, id);
	}
	/* Made anew, so that a process that has the old one mapped keeps it. */
	unlink(file);
	image.fd = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
	if (image.fd < 0)
		fail(file);
	image.is_32 = shape->is_32;
	image.swap = shape->other_endian;
	put_elf(&image, shape);
	if (close(image.fd))
		fail(file);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--list"))
		return list();
	if (argc < 4 || argc % 3 != 1) {
		fprintf(stderr, "Usage: elf_gen (KIND ID-HEX|- FILE)... | elf_gen --list\n");
		return 2;
	}
	for (int i = 1; i < argc; i += 3)
		make(argv[i], argv[i + 1], argv[i + 2]);
	return 0;
}
