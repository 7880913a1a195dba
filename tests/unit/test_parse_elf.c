// SPDX-License-Identifier: GPL-2.0-only
/* Build-ids in ELF files, of any kind and damaged, and perf's configuration. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "user/parse/elf/build_id.h"
#include "user/parse/event/perf_config.h"

#define NOTES_AT 64
#define SECTIONS_AT 256

struct note {
	uint32_t name_size, desc_size, type;
	char name[4];
	uint8_t desc[20];
};

struct image {
	Elf64_Ehdr header;
	struct note note; /* at NOTES_AT */
	char padding[SECTIONS_AT - NOTES_AT - sizeof(struct note)];
	Elf64_Shdr sections[2];
	Elf64_Phdr segment;
};

_Static_assert(offsetof(struct image, note) == NOTES_AT, "as above");
_Static_assert(offsetof(struct image, sections) == SECTIONS_AT, "as above");

static void make(struct image *image, bool section, bool segment)
{
	memset(image, 0, sizeof(*image));
	memcpy(image->header.e_ident, ELFMAG, SELFMAG);
	image->header.e_ident[EI_CLASS] = ELFCLASS64;
	image->header.e_ident[EI_DATA] = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB
										   : ELFDATA2MSB;
	image->note = (struct note){4, 20, NT_GNU_BUILD_ID, "GNU", {1, 2, 3}};
	if (section) {
		image->header.e_shoff = SECTIONS_AT;
		image->header.e_shentsize = sizeof(Elf64_Shdr);
		image->header.e_shnum = 2;
		image->sections[1] = (Elf64_Shdr){.sh_type = SHT_NOTE,
			.sh_offset = NOTES_AT,
			.sh_size = sizeof(struct note),
			.sh_addralign = 4};
	}
	if (segment) {
		image->header.e_phoff = offsetof(struct image, segment);
		image->header.e_phentsize = sizeof(Elf64_Phdr);
		image->header.e_phnum = 1;
		image->segment = (Elf64_Phdr){.p_type = PT_NOTE,
			.p_offset = NOTES_AT,
			.p_filesz = sizeof(struct note),
			.p_align = 4};
	}
}

/* Reads a copy of exactly its size, so that ASan sees each byte too many. */
static int read_id(const void *bytes, size_t size)
{
	uint8_t id[ELF_BUILD_ID_MAX], *copy = malloc(size ? size : 1);
	int n;

	assert_non_null(copy);
	memcpy(copy, bytes, size);
	n = elf_build_id__of(copy, size, id);
	if (n == 20)
		assert_memory_equal(id, "\1\2\3\0", 4);
	free(copy);
	return n;
}

static void test_elf(void **state)
{
	struct image image;

	(void)state;
	make(&image, true, false);
	assert_int_equal(read_id(&image, sizeof(image)), 20);
	make(&image, false, true);
	assert_int_equal(read_id(&image, sizeof(image)), 20);
	make(&image, true, true);
	/* A debug file: its segments lead nowhere. */
	image.segment.p_offset = 1 << 30;
	assert_int_equal(read_id(&image, sizeof(image)), 20);
	make(&image, true, true);
	image.sections[1].sh_offset = UINT64_MAX - 8;
	assert_int_equal(read_id(&image, sizeof(image)), 20);
	make(&image, false, false);
	assert_int_equal(read_id(&image, sizeof(image)), -ENODATA);
	make(&image, true, false);
	image.note.desc_size = 24;
	image.sections[1].sh_size += 4;
	assert_int_equal(read_id(&image, sizeof(image)), -E2BIG);
	make(&image, true, false);
	image.header.e_shoff = UINT64_MAX;
	assert_int_equal(read_id(&image, sizeof(image)), -EBADMSG);
	make(&image, true, false);
	image.sections[1].sh_size = UINT64_MAX;
	assert_int_equal(read_id(&image, sizeof(image)), -ENODATA);
	make(&image, true, false);
	image.header.e_ident[EI_CLASS] = 7;
	assert_int_equal(read_id(&image, sizeof(image)), -ENOEXEC);
	assert_int_equal(read_id("#!/bin/sh\n", 10), -ENOEXEC);
	assert_int_equal(read_id("", 0), -ENOEXEC);
}

/* Any prefix, and any byte that is another, is an answer and no more. */
static void test_damage(void **state)
{
	struct image image, damaged;

	(void)state;
	make(&image, true, true);
	for (size_t size = 0; size < sizeof(image); size++)
		assert_true(
			read_id(&image, size) != 20 || size >= sizeof(image) - sizeof(Elf64_Phdr));
	for (size_t i = 0; i < sizeof(image); i++) {
		if (i >= NOTES_AT && i < SECTIONS_AT)
			continue;
		for (unsigned int bit = 0; bit < 8; bit++) {
			damaged = image;
			((uint8_t *)&damaged)[i] ^= 1u << bit;
			read_id(&damaged, sizeof(damaged));
		}
	}
}

static void finds(const char *text, const char *wanted)
{
	char value[16] = "";

	assert_int_equal(perf_config__find(text, "buildid", "dir", value, sizeof(value)),
		wanted ? 0 : -ENOENT);
	assert_string_equal(value, wanted ? wanted : "");
}

static void test_perf_config(void **state)
{
	(void)state;
	finds("", NULL);
	finds("dir = x\n", NULL);
	finds("[buildid]\ndir = x\n", "x");
	finds("[buildid]\ndir=x", "x");
	finds("# [buildid]\ndir = x\n", NULL);
	finds("[other]\ndir = y\n[BuildID]\n\tDir\t=  a b \t# c\n[more]\ndir = z\n", "a b");
	finds("[buildid]\ndirectory = x\ndir\n", NULL);
	finds("[buildid]\ndir = \" a;b \" ; c\n", " a;b ");
	finds("[buildid]\ndir = a\\\\b\\tc\\\"\n", "a\\b\tc\"");
	finds("[buildid]\ndir = 1\ndir = 2\n", "2");
	finds("[buildid]\ndir = 0123456789abcdefghi\n", "0123456789abcde");
	finds("[buildid\ndir = x\n", NULL);
	finds("[buildid]\ndir = \\", "\\");
}

static int get_image(void *ctx, uint64_t offset, void *dst, size_t size)
{
	if (offset > sizeof(struct image) || size > sizeof(struct image) - offset)
		return -EBADMSG;
	memcpy(dst, (const uint8_t *)ctx + offset, size);
	return 0;
}

/* Package metadata is a text, whatever is in it; a build-id is none. */
static void test_package(void **state)
{
	static const char OWNER[4] = "FDO";
	char text[ELF_PACKAGE_MAX];
	struct image image;

	(void)state;
	make(&image, true, true);
	assert_int_equal(elf_package__read(get_image, &image, text), -ENODATA);
	memcpy(image.note.name, OWNER, sizeof(OWNER));
	assert_int_equal(elf_package__read(get_image, &image, text), -ENODATA);
	image.note.type = 0xcafe1a7e;
	assert_int_equal(elf_package__read(get_image, &image, text), 3);
	assert_string_equal(text, "\1\2\3");
	/* Without a NUL at its end. */
	memset(image.note.desc, '{', sizeof(image.note.desc));
	assert_int_equal(elf_package__read(get_image, &image, text), sizeof(image.note.desc));
	assert_int_equal(strlen(text), sizeof(image.note.desc));
	memset(image.note.desc, 0, sizeof(image.note.desc));
	assert_int_equal(elf_package__read(get_image, &image, text), -ENODATA);
	/* It goes beyond the notes, and then beyond what is taken. */
	image.note.desc_size = ELF_PACKAGE_MAX;
	assert_int_equal(elf_package__read(get_image, &image, text), -EBADMSG);
	image.header.e_shnum = 0;
	image.segment.p_filesz = UINT32_MAX;
	assert_int_equal(elf_package__read(get_image, &image, text), -ENODATA);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_elf),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_package),
		cmocka_unit_test(test_perf_config),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
