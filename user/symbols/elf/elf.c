// SPDX-License-Identifier: GPL-2.0-only
/*
 * See elf.h. Functions are selected as in perf (tools/perf/util/symbol-elf.c of Linux).
 */
#include "user/symbols/elf/elf.h"

#include <errno.h>
#include <gelf.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_MIN 4096 /* page sizes of the machines where files were mapped */
#define PAGE_MAX 65536
#define MINIDEBUG_MAX (256u << 20)
#define MINIDEBUG_MEMORY (128u << 20) /* memory that the decompressor may use */

/* The function descriptors of a 64-bit PowerPC file of the older ABI. */
struct descriptors {
	size_t section; /* 0: none */
	uint64_t addr;
	const uint8_t *bytes;
	size_t size;
};

static Elf_Scn *find_section(Elf *elf, const char *name, GElf_Shdr *ret)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *is;

		if (!gelf_getshdr(scn, ret))
			continue;
		is = elf_strptr(elf, names, ret->sh_name);
		if (is && !strcmp(is, name))
			return scn;
	}
	return NULL;
}

static void find_descriptors(Elf *elf, struct descriptors *ret)
{
	GElf_Ehdr ehdr;
	GElf_Shdr shdr;
	Elf_Data *data;
	Elf_Scn *scn;

	*ret = (struct descriptors){0};
	if (!gelf_getehdr(elf, &ehdr) || ehdr.e_machine != EM_PPC64)
		return;
	scn = find_section(elf, ".opd", &shdr);
	data = scn ? elf_rawdata(scn, NULL) : NULL;
	if (!data || !data->d_buf)
		return;
	*ret = (struct descriptors){elf_ndxscn(scn), shdr.sh_addr, data->d_buf, data->d_size};
}

/* Returns the address in the descriptor at @value. Files with descriptors are big-endian. */
static uint64_t follow(const struct descriptors *of, uint64_t value)
{
	uint64_t at = value - of->addr, word = 0;

	if (value < of->addr || at > of->size || of->size - at < 8)
		return value;
	for (int i = 0; i < 8; i++)
		word = word << 8 | of->bytes[at + i];
	return word;
}

static bool is_function(const GElf_Sym *sym, const char *name)
{
	unsigned int type = GELF_ST_TYPE(sym->st_info);
	unsigned int seen = GELF_ST_VISIBILITY(sym->st_other);

	if (!*name || sym->st_shndx == SHN_UNDEF || sym->st_shndx == SHN_ABS)
		return false;
	if (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_OBJECT)
		return true;
	return type == STT_NOTYPE && seen != STV_HIDDEN && seen != STV_INTERNAL;
}

/*
 * Whether a label may name code: it is in a section of code, and not one of the marks $a, $t, $d
 * and $x, which show the kind of code or data that follows.
 */
static bool is_label_of_code(Elf *elf, const GElf_Ehdr *ehdr, const GElf_Sym *sym, const char *name)
{
	Elf_Scn *scn = elf_getscn(elf, sym->st_shndx);
	GElf_Shdr shdr;

	if (GELF_ST_TYPE(sym->st_info) != STT_NOTYPE)
		return true;
	if ((ehdr->e_machine == EM_ARM || ehdr->e_machine == EM_AARCH64 ||
		    ehdr->e_machine == EM_RISCV) &&
		*name == '$')
		return false;
	return sym->st_shndx >= SHN_LORESERVE ||
	       (scn && gelf_getshdr(scn, &shdr) && shdr.sh_flags & SHF_EXECINSTR);
}

static int add_symbol(struct symbols_table *table, const GElf_Ehdr *ehdr,
	const struct descriptors *descriptors, const GElf_Sym *sym, const char *name,
	enum symbol_origin origin)
{
	uint64_t value = sym->st_value;

	/* The lowest bit marks Thumb code. */
	if (ehdr->e_machine == EM_ARM && GELF_ST_TYPE(sym->st_info) == STT_FUNC)
		value &= ~1ull;
	if (descriptors->section && sym->st_shndx == descriptors->section)
		value = follow(descriptors, value);
	return symbols_table__add(
		table, value, sym->st_size, name, GELF_ST_BIND(sym->st_info), origin);
}

static int add_all(struct symbols_table *table, Elf *elf, Elf_Scn *scn, const GElf_Shdr *shdr,
	enum symbol_origin origin)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	struct descriptors descriptors;
	size_t text = SHN_UNDEF, n;
	GElf_Shdr text_shdr;
	GElf_Ehdr ehdr;
	int added = 0;

	if (!data || !data->d_buf || !shdr->sh_entsize || !gelf_getehdr(elf, &ehdr))
		return 0;
	find_descriptors(elf, &descriptors);
	if (ehdr.e_type == ET_REL) {
		Elf_Scn *at = find_section(elf, ".text", &text_shdr);

		if (!at)
			return 0;
		text = elf_ndxscn(at);
	}
	n = data->d_size / gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);
	for (size_t i = 1; i < n; i++) {
		const char *name;
		GElf_Sym sym;

		if (!gelf_getsym(data, i, &sym))
			break;
		name = elf_strptr(elf, shdr->sh_link, sym.st_name);
		if (!name || !is_function(&sym, name) || (text && sym.st_shndx != text) ||
			!is_label_of_code(elf, &ehdr, &sym, name))
			continue;
		if (add_symbol(table, &ehdr, &descriptors, &sym, name, origin))
			return -ENOMEM;
		added++;
	}
	return added;
}

int symbols_elf__add(
	struct symbols_table *table, Elf *elf, unsigned int type, enum symbol_origin origin)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &shdr) && shdr.sh_type == type)
			return add_all(table, elf, scn, &shdr, origin);
	return 0;
}

/* Decompresses @size bytes of .xz. Returns NULL if they are damaged or unpack to too many. */
static uint8_t *decompress(const uint8_t *bytes, size_t size, size_t *ret_size)
{
	uint64_t memory = MINIDEBUG_MEMORY;
	size_t room = 4 * size + 65536;

	for (; room <= MINIDEBUG_MAX; room *= 4) {
		size_t in = 0, out = 0;
		uint8_t *buffer = malloc(room);
		lzma_ret r;

		if (!buffer)
			return NULL;
		r = lzma_stream_buffer_decode(
			&memory, 0, NULL, bytes, &in, size, buffer, &out, room);
		if (r == LZMA_OK) {
			*ret_size = out;
			return buffer;
		}
		free(buffer);
		if (r != LZMA_BUF_ERROR)
			return NULL;
	}
	return NULL;
}

int symbols_elf__add_minidebug(struct symbols_table *table, Elf *elf)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = find_section(elf, ".gnu_debugdata", &shdr);
	Elf_Data *data = scn ? elf_rawdata(scn, NULL) : NULL;
	uint8_t *bytes = NULL;
	size_t size = 0;
	int n = 0;
	Elf *mini;

	if (data && data->d_buf)
		bytes = decompress(data->d_buf, data->d_size, &size);
	mini = bytes ? elf_memory((char *)bytes, size) : NULL;
	if (mini && elf_kind(mini) == ELF_K_ELF)
		n = symbols_elf__add(table, mini, SHT_SYMTAB, SYMBOL_MINIDEBUG);
	if (mini)
		elf_end(mini);
	free(bytes);
	return n;
}

/* Finds the loadable segment that contains @offset, preferably an executable one. */
static bool find_segment(Elf *elf, uint64_t offset, GElf_Phdr *ret)
{
	uint64_t page = PAGE_MIN;
	bool found = false;
	GElf_Phdr phdr;
	size_t n;

	if (elf_getphdrnum(elf, &n))
		return false;
	for (size_t i = 0; i < n; i++) {
		uint64_t begin, end;

		if (!gelf_getphdr(elf, i, &phdr) || phdr.p_type != PT_LOAD)
			continue;
		/* A mapping begins and ends at the start of a page. */
		begin = phdr.p_offset & ~(page - 1);
		end = (phdr.p_offset + phdr.p_filesz + page - 1) & ~(page - 1);
		if (offset < begin || offset >= end || (found && !(phdr.p_flags & PF_X)))
			continue;
		*ret = phdr;
		found = true;
		if (phdr.p_flags & PF_X)
			return true;
	}
	return found;
}

static bool is_relocatable(Elf *elf)
{
	GElf_Ehdr ehdr;

	return gelf_getehdr(elf, &ehdr) && ehdr.e_type == ET_REL;
}

int symbols_elf__address(Elf *elf, uint64_t offset, uint64_t *ret)
{
	GElf_Phdr phdr = {0};

	*ret = offset;
	if (is_relocatable(elf))
		return 0;
	if (!find_segment(elf, offset, &phdr))
		return -ENOENT;
	*ret = offset - phdr.p_offset + phdr.p_vaddr;
	return 0;
}

int symbols_elf__address_in_debug(
	Elf *elf, uint64_t offset, uint64_t map_pgoff, uint64_t map_len, uint64_t *ret)
{
	GElf_Phdr phdr, text = {0};
	size_t n, found = 0;

	*ret = offset;
	if (is_relocatable(elf))
		return 0;
	if (elf_getphdrnum(elf, &n))
		return -ENOENT;
	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(elf, i, &phdr) && phdr.p_type == PT_LOAD && phdr.p_flags & PF_X) {
			text = phdr;
			found++;
		}
	if (found != 1)
		return -ENOENT;
	/*
	 * A mapping is rounded to the page size of the machine that mapped the file, which may be
	 * any of these.
	 */
	for (uint64_t page = PAGE_MIN; page <= PAGE_MAX; page *= 2) {
		uint64_t begin = text.p_vaddr & ~(page - 1);
		uint64_t end = (text.p_vaddr + text.p_memsz + page - 1) & ~(page - 1);

		if (end - begin != map_len)
			continue;
		*ret = offset - map_pgoff + begin;
		return 0;
	}
	return -ENOENT;
}

int symbols_elf__base(Elf *elf, uint64_t *ret)
{
	uint64_t page = PAGE_MIN, lowest = UINT64_MAX;
	GElf_Phdr phdr;
	size_t n;

	if (elf_getphdrnum(elf, &n))
		return -ENOENT;
	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(elf, i, &phdr) && phdr.p_type == PT_LOAD && phdr.p_vaddr < lowest)
			lowest = phdr.p_vaddr;
	*ret = lowest & ~(page - 1);
	return lowest == UINT64_MAX ? -ENOENT : 0;
}
