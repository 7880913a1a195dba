// SPDX-License-Identifier: GPL-2.0-only
/*
 * A recording as an s390x, or a 32-bit ppc, makes it, with the program that it is of:
 * foreign [--native] s390x|ppc RECORDING PROGRAM. Both are of the big byte order. The program has
 * two functions, "first" and "second", and the recording 3 samples in the one and 5 in the other.
 * It is mapped at /opt/foreign, with a build-id of the bytes from 1 to 20. With
 * --native the records are those of a patched kernel: MMAP3, and a MODULE that tells of one
 * that is loaded, "burn".
 * Knows nothing of who reads them.
 */
#include <elf.h>
#include <endian.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ID_SIZE 20
#define BASE 0x1000000ull
#define TEXT 0x200 /* offset of the code in the program; each function has 64 bytes */
#define FUNCTION 64
#define SEGMENT 0x1000
#define ATTR_SIZE 112
#define HEADER_SIZE 104
#define RECORD_MMAP3 23
#define RECORD_MODULE 24

#define HEADER_HOSTNAME 3
#define HEADER_ARCH 6

static const char *arch;
static bool narrow; /* words of 32 bits */
static bool native;

struct image {
	uint8_t bytes[8192];
	size_t size;
};

static void put(struct image *image, const void *bytes, size_t size)
{
	if (image->size + size > sizeof(image->bytes))
		abort();
	memcpy(image->bytes + image->size, bytes, size);
	image->size += size;
}

static void put8(struct image *image, uint8_t value)
{
	put(image, &value, 1);
}

static void put16(struct image *image, uint16_t value)
{
	value = htobe16(value);
	put(image, &value, 2);
}

static void put32(struct image *image, uint32_t value)
{
	value = htobe32(value);
	put(image, &value, 4);
}

static void put64(struct image *image, uint64_t value)
{
	value = htobe64(value);
	put(image, &value, 8);
}

static void put_word(struct image *image, uint64_t value)
{
	if (narrow)
		put32(image, value);
	else
		put64(image, value);
}

static void pad_to(struct image *image, size_t size)
{
	while (image->size < size)
		put8(image, 0);
}

static void put_id(struct image *image)
{
	for (int i = 1; i <= ID_SIZE; i++)
		put8(image, i);
}

static void save(const struct image *image, const char *path)
{
	FILE *file = fopen(path, "we");

	if (!file || fwrite(image->bytes, 1, image->size, file) != image->size || fclose(file)) {
		perror(path);
		exit(1);
	}
}

static void put_section(struct image *image, const uint64_t v[9])
{
	put32(image, v[0]); /* name */
	put32(image, v[1]); /* type */
	for (int i = 2; i < 6; i++)
		put_word(image, v[i]); /* flags, address, offset, size */
	put32(image, v[6]);            /* link */
	put32(image, v[7]);            /* info */
	put_word(image, 1);
	put_word(image, v[8]); /* entry's size */
}

static void put_segment(struct image *image, uint32_t type, uint64_t at, uint64_t size)
{
	put32(image, type);
	if (!narrow)
		put32(image, PF_R | PF_X);
	put_word(image, at);
	put_word(image, BASE + at);
	put_word(image, BASE + at);
	put_word(image, size);
	put_word(image, size);
	if (narrow)
		put32(image, PF_R | PF_X);
	put_word(image, type == PT_LOAD ? 0x1000 : 4);
}

static void put_symbol_kind(struct image *image)
{
	put8(image, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC));
	put8(image, STV_DEFAULT);
	put16(image, 2); /* .text */
}

static void put_symbol(struct image *image, uint32_t name, uint64_t at)
{
	put32(image, name);
	if (!narrow)
		put_symbol_kind(image);
	put_word(image, BASE + at);
	put_word(image, FUNCTION);
	if (narrow)
		put_symbol_kind(image);
}

static void make_program(struct image *image)
{
	static const uint8_t ident[EI_NIDENT] = {ELFMAG0, ELFMAG1, ELFMAG2,
		ELFMAG3, [EI_DATA] = ELFDATA2MSB, [EI_VERSION] = EV_CURRENT};
	static const char names[] = "\0.note\0.text\0.symtab\0.strtab\0first\0second";
	const uint64_t note = 0x100, symbols = 0x300, strings = 0x400, sections = 0x500;
	const size_t symbol = narrow ? sizeof(Elf32_Sym) : sizeof(Elf64_Sym);
	const size_t header = narrow ? sizeof(Elf32_Ehdr) : sizeof(Elf64_Ehdr);

	put(image, ident, sizeof(ident));
	image->bytes[EI_CLASS] = narrow ? ELFCLASS32 : ELFCLASS64;
	put16(image, ET_EXEC);
	put16(image, narrow ? EM_PPC : EM_S390);
	put32(image, EV_CURRENT);
	put_word(image, BASE + TEXT);
	put_word(image, header);
	put_word(image, sections);
	put32(image, 0);
	put16(image, header);
	put16(image, narrow ? sizeof(Elf32_Phdr) : sizeof(Elf64_Phdr));
	put16(image, 2);
	put16(image, narrow ? sizeof(Elf32_Shdr) : sizeof(Elf64_Shdr));
	put16(image, 5);
	put16(image, 4);
	put_segment(image, PT_LOAD, 0, SEGMENT);
	put_segment(image, PT_NOTE, note, 36);
	pad_to(image, note);
	put32(image, 4);
	put32(image, ID_SIZE);
	put32(image, NT_GNU_BUILD_ID);
	put(image, "GNU", 4);
	put_id(image);
	pad_to(image, symbols);
	pad_to(image, symbols + symbol);
	put_symbol(image, 29, TEXT);
	put_symbol(image, 35, TEXT + FUNCTION);
	pad_to(image, strings);
	put(image, names, sizeof(names));
	pad_to(image, sections);
	put_section(image, (uint64_t[9]){0});
	put_section(image, (uint64_t[9]){1, SHT_NOTE, SHF_ALLOC, BASE + note, note, 36, 0, 0, 0});
	put_section(image, (uint64_t[9]){7, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, BASE + TEXT,
				   TEXT, 2 * FUNCTION, 0, 0, 0});
	put_section(image, (uint64_t[9]){13, SHT_SYMTAB, 0, 0, symbols, 3 * symbol, 4, 1, symbol});
	put_section(image, (uint64_t[9]){21, SHT_STRTAB, 0, 0, strings, sizeof(names), 0, 0, 0});
	pad_to(image, SEGMENT);
}

static void put_header(struct image *image, uint32_t type, uint16_t misc, uint16_t size)
{
	put32(image, type);
	put16(image, misc);
	put16(image, size);
}

static void put_record(struct image *image, uint32_t type, uint16_t misc, uint16_t size)
{
	put_header(image, type, misc, size);
	put32(image, 77);
	put32(image, 77);
}

static void put_attr(struct image *image)
{
	/* The bits of a big-endian machine begin at the other end: mmap, comm, mmap2. */
	uint64_t flags = 1ull << (63 - 8) | 1ull << (63 - 9) | 1ull << (63 - 23);
	size_t at = image->size;

	put32(image, PERF_TYPE_SOFTWARE);
	put32(image, ATTR_SIZE);
	put64(image, PERF_COUNT_SW_CPU_CLOCK);
	put64(image, 1000000);
	put64(image, PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME);
	put64(image, 0);
	if (native)
		flags |= 1ull << (63 - 40) | 1ull << (63 - 41);
	put64(image, flags);
	pad_to(image, at + ATTR_SIZE);
	put64(image, 0);
	put64(image, 0);
}

/* A bitmap of such words. */
static void put_features(struct image *image, uint32_t bits)
{
	size_t at = image->size;

	put_word(image, bits);
	pad_to(image, at + 32);
}

static void put_string(struct image *image, const char *text, size_t size)
{
	put32(image, size);
	put(image, text, strlen(text));
	pad_to(image, image->size + size - strlen(text));
}

#define MMAP2_SIZE (72 + 16)
#define MMAP3_SIZE (136 + 16)
#define MODULE_SIZE (64 + 8)

static void put_mmap2(struct image *image)
{
	put_record(image, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID,
		MMAP2_SIZE);
	put64(image, BASE);
	put64(image, SEGMENT);
	put64(image, 0);
	put8(image, ID_SIZE);
	pad_to(image, image->size + 3);
	put_id(image);
	put32(image, 5);
	put32(image, 2);
}

static void put_mmap3(struct image *image)
{
	put_record(image, RECORD_MMAP3, PERF_RECORD_MISC_USER, MMAP3_SIZE);
	put64(image, BASE);
	put64(image, SEGMENT);
	put64(image, 0);
	put32(image, 94); /* device */
	put32(image, 1);
	put64(image, 4711); /* inode and generation */
	put64(image, 7);
	put32(image, 5);
	put32(image, 2);
	put64(image, SEGMENT);
	put8(image, 3); /* known from an earlier mapping; no reason why there is no build-id */
	put8(image, 0);
	put8(image, ID_SIZE);
	put8(image, 0);
	put32(image, 0xf0000000); /* mount namespace */
	put64(image, 1);          /* cgroup */
	put_id(image);
	pad_to(image, image->size + 20); /* no cookie */
}

static void put_module(struct image *image)
{
	static const char name[8] = "burn";

	put_header(image, RECORD_MODULE, PERF_RECORD_MISC_KERNEL, MODULE_SIZE);
	put64(image, 0x3ff80000000);
	put64(image, 0);
	put32(image, 0x2000);
	put32(image, 0);
	put32(image, 0);
	put16(image, 1); /* loaded */
	put8(image, ID_SIZE);
	put8(image, 0);
	put_id(image);
	put32(image, 0);
	put(image, name, sizeof(name));
}

static void make_recording(struct image *image)
{
	static const char path[16] = "/opt/foreign", comm[8] = "foreign";
	const size_t data = HEADER_SIZE + ATTR_SIZE + 16;
	const size_t size = 24 + (native ? MMAP3_SIZE + MODULE_SIZE : MMAP2_SIZE) + 8 * 32;

	put64(image, 0x32454c4946524550ull); /* PERFILE2, as this byte order has it */
	put64(image, HEADER_SIZE);
	put64(image, ATTR_SIZE + 16);
	put64(image, HEADER_SIZE);
	put64(image, ATTR_SIZE + 16);
	put64(image, data);
	put64(image, size);
	put64(image, 0);
	put64(image, 0);
	put_features(image, 1u << HEADER_HOSTNAME | 1u << HEADER_ARCH);
	pad_to(image, HEADER_SIZE);
	put_attr(image);
	put_record(image, PERF_RECORD_COMM, 0, 24);
	put(image, comm, sizeof(comm));
	if (native)
		put_mmap3(image);
	else
		put_mmap2(image);
	put(image, path, sizeof(path));
	if (native)
		put_module(image);
	for (int i = 0; i < 8; i++) {
		put32(image, PERF_RECORD_SAMPLE);
		put16(image, PERF_RECORD_MISC_USER);
		put16(image, 32);
		put64(image, BASE + TEXT + (i < 3 ? 4 * i : FUNCTION + 4 * i));
		put32(image, 77);
		put32(image, 77);
		put64(image, 1000 + i);
	}
	for (int i = 0; i < 2; i++) {
		put64(image, data + size + 32 + 20 * i);
		put64(image, 20);
	}
	put_string(image, "elsewhere", 16);
	put_string(image, arch, 16);
}

int main(int argc, char **argv)
{
	static struct image program, recording;

	native = argc > 1 && !strcmp(argv[1], "--native");
	argc -= native;
	argv += native;
	if (argc != 4) {
		fputs("Usage: foreign [--native] s390x|ppc RECORDING PROGRAM\n", stderr);
		return 2;
	}
	arch = argv[1];
	narrow = !strcmp(arch, "ppc");
	make_recording(&recording);
	make_program(&program);
	save(&recording, argv[2]);
	save(&program, argv[3]);
	return 0;
}
