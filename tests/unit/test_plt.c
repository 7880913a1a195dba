// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of the PLT stubs of AArch64, as GNU ld 2.40 writes them: plain, with BTI, and with signed
 * pointers. The files are made here, of nothing but what names are found by.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <gelf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "user/symbols/elf/elf.h"
#include "user/symbols/elf/table.h"

#define PLT 0x2c0u
#define GOT 0x20000u /* the first slot; the second follows it */

#define BTI 0xd503245fu
#define NOP 0xd503201fu
#define AUTIA 0xd503219fu
#define BR 0xd61f0220u
/* To the page of the slots; from the head of the section to that before it. */
#define ADRP 0x90000110u
#define ADRP_HEAD 0xf00000f0u
/* Of the slot @n: ldr and add. */
#define LOAD(n) 0xf9400211u | (n) << 10, 0x91000210u | (n) << 13

static const char STRINGS[] = "\0one\0two\0.plt\0.rela.plt\0.dynsym\0.strtab";

enum {
	NAME_ONE = 1,
	NAME_TWO = 5,
	NAME_PLT = 9,
	NAME_RELA = 14,
	NAME_DYNSYM = 24,
	NAME_STRTAB = 32
};

static void add_section(Elf *elf, const GElf_Shdr *as, void *bytes, Elf_Type type)
{
	Elf_Scn *scn = elf_newscn(elf);
	Elf_Data *data = elf_newdata(scn);
	GElf_Shdr shdr;

	assert_non_null(data);
	data->d_buf = bytes;
	data->d_size = as->sh_size;
	data->d_type = type;
	data->d_align = 8;
	data->d_version = EV_CURRENT;
	assert_non_null(gelf_getshdr(scn, &shdr));
	shdr = *as;
	assert_true(gelf_update_shdr(scn, &shdr));
}

/* The descriptor of a file with these stubs. The second slot's relocation stands first. */
static int make(const uint32_t *words, size_t size)
{
	Elf64_Sym symbols[3] = {{0}, {.st_name = NAME_ONE}, {.st_name = NAME_TWO}};
	Elf64_Rela relocations[2] = {
		{GOT + 8, ELF64_R_INFO(2, R_AARCH64_JUMP_SLOT), 0},
		{GOT, ELF64_R_INFO(1, R_AARCH64_JUMP_SLOT), 0},
	};
	int fd = memfd_create("plt", MFD_CLOEXEC);
	Elf *elf = elf_begin(fd, ELF_C_WRITE, NULL);
	GElf_Ehdr ehdr;

	assert_non_null(elf);
	assert_true(gelf_newehdr(elf, ELFCLASS64) != NULL);
	assert_non_null(gelf_getehdr(elf, &ehdr));
	ehdr.e_ident[EI_DATA] = ELFDATA2LSB;
	ehdr.e_machine = EM_AARCH64;
	ehdr.e_type = ET_DYN;
	ehdr.e_version = EV_CURRENT;
	ehdr.e_shstrndx = 4;
	assert_true(gelf_update_ehdr(elf, &ehdr));
	add_section(elf,
		&(GElf_Shdr){.sh_name = NAME_PLT,
			.sh_type = SHT_PROGBITS,
			.sh_flags = SHF_ALLOC | SHF_EXECINSTR,
			.sh_addr = PLT,
			.sh_size = size},
		(void *)words, ELF_T_BYTE);
	add_section(elf,
		&(GElf_Shdr){.sh_name = NAME_RELA,
			.sh_type = SHT_RELA,
			.sh_flags = SHF_ALLOC,
			.sh_link = 3,
			.sh_entsize = sizeof(*relocations),
			.sh_size = sizeof(relocations)},
		relocations, ELF_T_RELA);
	add_section(elf,
		&(GElf_Shdr){.sh_name = NAME_DYNSYM,
			.sh_type = SHT_DYNSYM,
			.sh_flags = SHF_ALLOC,
			.sh_link = 4,
			.sh_entsize = sizeof(*symbols),
			.sh_size = sizeof(symbols)},
		symbols, ELF_T_SYM);
	add_section(elf,
		&(GElf_Shdr){
			.sh_name = NAME_STRTAB, .sh_type = SHT_STRTAB, .sh_size = sizeof(STRINGS)},
		(void *)STRINGS, ELF_T_BYTE);
	assert_true(elf_update(elf, ELF_C_WRITE) > 0);
	elf_end(elf);
	return fd;
}

static void assert_is(
	const struct symbols_table *table, const char *name, uint64_t start, uint64_t end)
{
	const struct table_symbol *symbol = symbols_table__named(table, name);

	assert_non_null(symbol);
	assert_int_equal(symbol->start, start);
	assert_int_equal(symbol->end, end);
}

/* The stub of slot 0 is at @one and that of slot 1 at @two; each is @size bytes. */
static void check(const uint32_t *words, size_t bytes, uint32_t one, uint32_t two, uint32_t size)
{
	struct symbols_table table = {0};
	int fd = make(words, bytes);
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);

	assert_non_null(elf);
	assert_int_equal(symbols_elf__add_plt(&table, elf), 2);
	assert_is(&table, "one@plt", one, one + size);
	assert_is(&table, "two@plt", two, two + size);
	symbols_table__free(&table);
	elf_end(elf);
	close(fd);
}

#define HEAD 0xa9bf7bf0, ADRP_HEAD, 0xf947fe11, 0x913fe210, BR

static void test_plain(void **state)
{
	static const uint32_t WORDS[] = {
		HEAD, NOP, NOP, NOP, ADRP, LOAD(0u), BR, ADRP, LOAD(1u), BR};

	(void)state;
	check(WORDS, sizeof(WORDS), PLT + 32, PLT + 48, 16);
}

/* A program's stubs are jumped to; a library's begin as plain ones do. */
static void test_bti(void **state)
{
	static const uint32_t WORDS[] = {
		BTI, HEAD, NOP, NOP, BTI, ADRP, LOAD(0u), BR, NOP, BTI, ADRP, LOAD(1u), BR, NOP};

	(void)state;
	check(WORDS, sizeof(WORDS), PLT + 32, PLT + 56, 24);
}

static void test_signed(void **state)
{
	static const uint32_t WORDS[] = {HEAD, NOP, NOP, NOP, ADRP, LOAD(0u), AUTIA, BR, NOP, ADRP,
		LOAD(1u), AUTIA, BR, NOP};

	(void)state;
	check(WORDS, sizeof(WORDS), PLT + 32, PLT + 56, 24);
}

static void test_bti_signed(void **state)
{
	static const uint32_t WORDS[] = {BTI, HEAD, NOP, NOP, BTI, ADRP, LOAD(1u), AUTIA, BR, BTI,
		ADRP, LOAD(0u), AUTIA, BR};

	(void)state;
	check(WORDS, sizeof(WORDS), PLT + 56, PLT + 32, 24);
}

/* The file ends within a stub, or has no stubs at all. */
static void test_cut(void **state)
{
	static const uint32_t WORDS[] = {HEAD, NOP, NOP, NOP, ADRP, 0xf9400211u};
	struct symbols_table table = {0};
	int fd = make(WORDS, sizeof(WORDS));
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);

	(void)state;
	assert_int_equal(symbols_elf__add_plt(&table, elf), 1);
	assert_is(&table, "one@plt", PLT + 32, PLT + 40);
	symbols_table__free(&table);
	elf_end(elf);
	close(fd);
	fd = make(WORDS, 4);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	assert_int_equal(symbols_elf__add_plt(&table, elf), 0);
	symbols_table__free(&table);
	elf_end(elf);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_bti),
		cmocka_unit_test(test_signed),
		cmocka_unit_test(test_bti_signed),
		cmocka_unit_test(test_cut),
	};

	elf_version(EV_CURRENT);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
