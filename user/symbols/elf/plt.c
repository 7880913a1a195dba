// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of PLT stubs, see elf.h. On x86 and AArch64, the instructions of each stub show the
 * slot of the global offset table through which it jumps, and the slot's relocation has the
 * function: this works for .plt, .plt.sec, .plt.got and .iplt of any linker. On other
 * architectures, the stubs follow a header, in the order of their relocations.
 */
#include <errno.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/symbols/elf/elf.h"

/* Sizes in bytes, for the architectures whose stubs are in the order of their relocations. */
static const struct {
	GElf_Half machine;
	unsigned int head;
	unsigned int stub;
} LAYOUTS[] = {
	{EM_ARM, 20, 12},
	{EM_RISCV, 32, 16},
	{EM_S390, 32, 32},
};

struct slot {
	uint64_t addr;
	const char *name; /* points into the file or the table */
};

struct slots {
	struct slot *v;
	size_t n, room;
	size_t n_plt; /* the first n_plt are the relocations of .rela.plt, in order */
};

/* Returns the name of an IFUNC. Its relocation has no symbol, but the address of the resolver. */
static const char *name_of_chosen(
	const struct symbols_table *table, Elf *elf, uint64_t info, uint64_t addend)
{
	const struct table_symbol *symbol = NULL;
	GElf_Ehdr ehdr;

	if (gelf_getehdr(elf, &ehdr) &&
		((ehdr.e_machine == EM_X86_64 && GELF_R_TYPE(info) == R_X86_64_IRELATIVE) ||
			(ehdr.e_machine == EM_AARCH64 && GELF_R_TYPE(info) == R_AARCH64_IRELATIVE)))
		symbol = symbols_table__at(table, addend);
	return symbol ? symbol->name : NULL;
}

static bool take_relocation(const struct symbols_table *table, Elf *elf, Elf_Data *relocations,
	Elf_Data *symbols, uint32_t strings, bool rela, size_t i, struct slot *ret)
{
	uint64_t info;
	GElf_Rela with;
	GElf_Rel without;
	GElf_Sym sym;

	if (rela ? !gelf_getrela(relocations, i, &with) : !gelf_getrel(relocations, i, &without))
		return false;
	info = rela ? with.r_info : without.r_info;
	*ret = (struct slot){.addr = rela ? with.r_offset : without.r_offset};
	if (GELF_R_SYM(info) && gelf_getsym(symbols, GELF_R_SYM(info), &sym))
		ret->name = elf_strptr(elf, strings, sym.st_name);
	else if (rela)
		ret->name = name_of_chosen(table, elf, info, with.r_addend);
	return true;
}

/* Collects the slots that the relocations in @scn fill. Returns 0 or -ENOMEM. */
static int add_slots(const struct symbols_table *table, Elf *elf, Elf_Scn *scn,
	const GElf_Shdr *shdr, struct slots *slots)
{
	bool rela = shdr->sh_type == SHT_RELA;
	Elf_Data *relocations = elf_getdata(scn, NULL), *symbols;
	Elf_Scn *linked = elf_getscn(elf, shdr->sh_link);
	GElf_Shdr linked_shdr;
	size_t n;

	symbols = linked && gelf_getshdr(linked, &linked_shdr) ? elf_getdata(linked, NULL) : NULL;
	if (!relocations || !symbols || linked_shdr.sh_type != SHT_DYNSYM)
		return 0;
	n = relocations->d_size / gelf_fsize(elf, rela ? ELF_T_RELA : ELF_T_REL, 1, EV_CURRENT);
	if (array__reserve(&slots->v, &slots->room, slots->n + n, sizeof(*slots->v)))
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (take_relocation(table, elf, relocations, symbols, linked_shdr.sh_link, rela, i,
			    &slots->v[slots->n]))
			slots->n++;
	return 0;
}

static bool is_section(Elf *elf, const GElf_Shdr *shdr, const char *name)
{
	const char *is;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	is = elf_strptr(elf, names, shdr->sh_name);
	return is && !strcmp(is, name);
}

static int read_slots(const struct symbols_table *table, Elf *elf, struct slots *slots)
{
	for (int others = 0; others < 2; others++) {
		Elf_Scn *scn = NULL;
		GElf_Shdr shdr;

		while ((scn = elf_nextscn(elf, scn))) {
			if (!gelf_getshdr(scn, &shdr) ||
				(shdr.sh_type != SHT_RELA && shdr.sh_type != SHT_REL) ||
				!(shdr.sh_flags & SHF_ALLOC))
				continue;
			if ((is_section(elf, &shdr, ".rela.plt") ||
				    is_section(elf, &shdr, ".rel.plt")) != !others)
				continue;
			if (add_slots(table, elf, scn, &shdr, slots))
				return -ENOMEM;
		}
		if (!others)
			slots->n_plt = slots->n;
	}
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static int add_stub(struct symbols_table *table, uint64_t addr, uint64_t size, const char *name)
{
	char text[1024];

	if (!name || !*name)
		return 0;
	snprintf(text, sizeof(text), "%s@plt", name);
	return symbols_table__add(table, addr, size, text, STB_GLOBAL, SYMBOL_PLT) ? -ENOMEM : 1;
}

static uint32_t little32(const uint8_t *at)
{
	return at[0] | at[1] << 8 | at[2] << 16 | (uint32_t)at[3] << 24;
}

/*
 * Returns the slot through which the stub of @size bytes at @addr jumps: `jmp *SLOT',
 * possibly after an endbr or with a bnd prefix. Returns 0 for other code.
 */
static uint64_t slot_of(const uint8_t *stub, size_t size, uint64_t addr, bool x86_64, uint64_t got)
{
	for (size_t i = 0; i + 6 <= size && i <= 5; i++) {
		if (stub[i] != 0xff)
			continue;
		if (stub[i + 1] == 0x25 && x86_64)
			return addr + i + 6 + (int64_t)(int32_t)little32(stub + i + 2);
		if (stub[i + 1] == 0x25)
			return little32(stub + i + 2);
		if (stub[i + 1] == 0xa3 && !x86_64)
			return (uint32_t)(got + little32(stub + i + 2));
	}
	return 0;
}

/*
 * Adds the stub of a slot, if a relocation fills the slot. Returns the number of added
 * symbols, or -ENOMEM.
 */
static int add_of_slot(struct symbols_table *table, const struct slots *slots, uint64_t slot_addr,
	uint64_t addr, uint64_t size)
{
	struct slot key = {.addr = slot_addr};
	const struct slot *slot = slot_addr
					  ? bsearch(&key, slots->v, slots->n, sizeof(key), compare)
					  : NULL;

	return slot ? add_stub(table, addr, size, slot->name) : 0;
}

static int add_x86(struct symbols_table *table, const GElf_Shdr *shdr, const Elf_Data *data,
	const struct slots *slots, bool x86_64, uint64_t got)
{
	size_t step = shdr->sh_entsize == 8 ? 8 : 16;
	int n = 0;

	for (size_t at = 0; at + step <= data->d_size; at += step) {
		uint64_t addr = shdr->sh_addr + at;
		int added = add_of_slot(table, slots,
			slot_of((const uint8_t *)data->d_buf + at, step, addr, x86_64, got), addr,
			step);

		if (added < 0)
			return added;
		n += added;
	}
	return n;
}

/* Sources: the Arm Architecture Reference Manual (instructions), and the AArch64 ELF ABI (stub). */
#define BTI_C 0xd503245fu
#define NOP 0xd503201fu
#define BR_X17 0xd61f0220u

/*
 * Returns the slot that `adrp x16, SLOT; ldr x17, [x16, SLOT]' at @addr loads, or 0. If the
 * slot has no relocation, the code is the header of the section.
 */
static uint64_t slot_of_aarch64(const uint8_t *code, uint64_t addr)
{
	uint32_t adrp = little32(code), ldr = little32(code + 4);
	int64_t pages;

	if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
		return 0;
	/* 21 bits, with a sign. */
	pages = (int64_t)((uint64_t)((adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3)) << 43) >> 43;
	return (addr & ~0xfffull) + pages * 4096 + (ldr >> 10 & 0xfff) * 8;
}

/* A stub may begin with bti, check a signature before it jumps, and end with nops. */
static int add_aarch64(struct symbols_table *table, const GElf_Shdr *shdr, const Elf_Data *data,
	const struct slots *slots)
{
	const uint8_t *code = data->d_buf;
	int n = 0;

	for (size_t at = 0; at + 8 <= data->d_size; at += 4) {
		uint64_t slot = slot_of_aarch64(code + at, shdr->sh_addr + at);
		size_t start = at, end = at + 8;
		int added;

		if (!slot)
			continue;
		if (start >= 4 && little32(code + start - 4) == BTI_C)
			start -= 4;
		while (end + 4 <= data->d_size && little32(code + end) != BR_X17)
			end += 4;
		end = end + 4 <= data->d_size ? end + 4 : data->d_size;
		while (end + 4 <= data->d_size && little32(code + end) == NOP)
			end += 4;
		added = add_of_slot(table, slots, slot, shdr->sh_addr + start, end - start);
		if (added < 0)
			return added;
		n += added;
		at = end - 4;
	}
	return n;
}

static int add_in_order(struct symbols_table *table, const GElf_Shdr *shdr,
	const struct slots *slots, GElf_Half machine)
{
	int n = 0;

	for (size_t l = 0; l < sizeof(LAYOUTS) / sizeof(LAYOUTS[0]); l++) {
		/* If the number of stubs is another one, the section has another format. */
		if (LAYOUTS[l].machine != machine ||
			shdr->sh_size != LAYOUTS[l].head + slots->n_plt * LAYOUTS[l].stub)
			continue;
		for (size_t i = 0; i < slots->n_plt; i++) {
			int added = add_stub(table,
				shdr->sh_addr + LAYOUTS[l].head + i * LAYOUTS[l].stub,
				LAYOUTS[l].stub, slots->v[i].name);

			if (added < 0)
				return added;
			n += added;
		}
	}
	return n;
}

/* Finds the base address of i386's position-independent stubs. */
static uint64_t find_got(Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	uint64_t got = 0;

	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &shdr))
			continue;
		if (is_section(elf, &shdr, ".got.plt"))
			return shdr.sh_addr;
		if (is_section(elf, &shdr, ".got"))
			got = shdr.sh_addr;
	}
	return got;
}

static int add_sections(
	struct symbols_table *table, Elf *elf, struct slots *slots, GElf_Half machine)
{
	bool x86 = machine == EM_X86_64 || machine == EM_386, aarch64 = machine == EM_AARCH64;
	uint64_t got = machine == EM_386 ? find_got(elf) : 0;
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	int n = 0;

	if ((x86 || aarch64) && slots->n)
		qsort(slots->v, slots->n, sizeof(*slots->v), compare);
	while ((scn = elf_nextscn(elf, scn))) {
		Elf_Data *data;
		int added = 0;

		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type != SHT_PROGBITS)
			continue;
		data = elf_rawdata(scn, NULL);
		if (!data || !data->d_buf)
			continue;
		if (x86 && (is_section(elf, &shdr, ".plt") || is_section(elf, &shdr, ".plt.sec") ||
				   is_section(elf, &shdr, ".plt.got")))
			added = add_x86(table, &shdr, data, slots, machine == EM_X86_64, got);
		else if (aarch64 &&
			 (is_section(elf, &shdr, ".plt") || is_section(elf, &shdr, ".iplt")))
			added = add_aarch64(table, &shdr, data, slots);
		else if (!x86 && !aarch64 && is_section(elf, &shdr, ".plt"))
			added = add_in_order(table, &shdr, slots, machine);
		if (added < 0)
			return added;
		n += added;
	}
	return n;
}

int symbols_elf__add_plt(struct symbols_table *table, Elf *elf)
{
	struct slots slots = {0};
	GElf_Ehdr ehdr;
	int n = 0;

	if (gelf_getehdr(elf, &ehdr))
		n = read_slots(table, elf, &slots);
	if (!n && slots.n)
		n = add_sections(table, elf, &slots, ehdr.e_machine);
	free(slots.v);
	return n;
}
