// SPDX-License-Identifier: GPL-2.0-only
/* See symbol_elf.h. Format: the ELF gABI; in this machine's byte order, 64 bits. */
#include "user/store/cache/symbol_elf.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <string.h>

#include "perfstamp/record.h"

enum {
	SECTION_NONE,
	SECTION_NOTE,
	SECTION_TEXT,
	SECTION_SYMTAB,
	SECTION_STRTAB,
	SECTION_NAMES,
	/* Present only if there are unwind tables. */
	SECTION_EH_FRAME,
	SECTION_EH_FRAME_HDR,
	N_SECTIONS
};

#define PAGE 4096

static const char NAMES[] = "\0.note.gnu.build-id\0.text\0.symtab\0.strtab\0.shstrtab\0.eh_frame"
			    "\0.eh_frame_hdr";

/* Offset of each name in NAMES. */
static const uint32_t NAME_AT[N_SECTIONS] = {0, 1, 20, 26, 34, 42, 52, 62};

#if defined(__x86_64__)
#define MACHINE EM_X86_64
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#elif defined(__riscv)
#define MACHINE EM_RISCV
#elif defined(__powerpc64__)
#define MACHINE EM_PPC64
#elif defined(__s390x__)
#define MACHINE EM_S390
#else
#define MACHINE EM_NONE
#endif

static void put_note(struct buffer *out, const uint8_t *build_id, size_t size)
{
	buffer__u32(out, sizeof(ELF_NOTE_GNU));
	buffer__u32(out, size);
	buffer__u32(out, NT_GNU_BUILD_ID);
	buffer__append(out, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU));
	buffer__append(out, build_id, size);
	buffer__align(out, 0, 8);
}

/*
 * perf chooses among the names of one address by their binding, which is set here as perf sets it
 * for kallsyms.
 */
static unsigned int binding(char type)
{
	if (type == 'W' || type == 'w')
		return STB_WEAK;
	return isupper((unsigned char)type) ? STB_GLOBAL : STB_LOCAL;
}

/* Appends the local symbols, or all others. Returns the number of appended symbols. */
static size_t put_symbols(struct buffer *out, const struct text_symbols *symbols, bool local)
{
	uint64_t base = symbols->module ? symbols->start : 0;
	uint32_t name = 1;
	size_t n = 0;

	for (size_t i = 0; i < symbols->n; i++) {
		const struct text_symbol *symbol = &symbols->v[i];
		Elf64_Sym entry = {
			.st_name = name,
			.st_info = ELF64_ST_INFO(binding(symbol->type), STT_FUNC),
			.st_shndx = SECTION_TEXT,
			.st_value = symbol->addr - base,
			.st_size = symbol->size,
		};

		name += strlen(symbol->name) + 1;
		if ((binding(symbol->type) == STB_LOCAL) != local)
			continue;
		buffer__append(out, &entry, sizeof(entry));
		n++;
	}
	return n;
}

static void put_names(struct buffer *out, const struct text_symbols *symbols)
{
	buffer__u8(out, 0);
	for (size_t i = 0; i < symbols->n; i++)
		buffer__append(out, symbols->v[i].name, strlen(symbols->v[i].name) + 1);
}

static uint64_t unwind_addr(const struct text_symbols *symbols)
{
	return symbols->start + ((symbols->size + 7) & ~7ull);
}

static Elf64_Phdr segment(uint32_t type, uint32_t flags, uint64_t addr, uint64_t size)
{
	return (Elf64_Phdr){
		.p_type = type,
		.p_flags = flags,
		.p_offset = addr,
		.p_vaddr = addr,
		.p_paddr = addr,
		.p_filesz = size,
		.p_memsz = size,
		.p_align = 1,
	};
}

/*
 * Writes the segment by which readers convert a mapping's offset to an address: the text, which has
 * no bytes in the file unless unwind tables follow it.
 */
static void put_segments(
	struct buffer *out, size_t start, const struct text_symbols *symbols, Elf64_Ehdr *header)
{
	uint64_t end = unwind_addr(symbols) + symbols->unwind_size;
	Elf64_Phdr v[2] = {segment(PT_LOAD, PF_R | PF_X, symbols->start, symbols->size)};

	header->e_phoff = out->size - start;
	header->e_phentsize = sizeof(*v);
	header->e_phnum = 1;
	/* perf 7 treats the first segment of a file as if it began at 0. */
	if (symbols->unwind && symbols->start < PAGE)
		v[0] = segment(PT_LOAD, PF_R | PF_X, 0, end);
	else if (symbols->unwind)
		v[0] = segment(PT_LOAD, PF_R | PF_X, symbols->start, end - symbols->start);
	if (symbols->unwind_hdr_size)
		v[header->e_phnum++] = segment(PT_GNU_EH_FRAME, PF_R,
			end - symbols->unwind_hdr_size, symbols->unwind_hdr_size);
	buffer__append(out, v, header->e_phnum * sizeof(*v));
}

/* Addresses are offsets in the file, so zeros take the place of the text. */
static void put_unwind(struct buffer *out, size_t start, const struct text_symbols *symbols,
	Elf64_Shdr *eh_frame, Elf64_Shdr *eh_frame_hdr)
{
	size_t hdr_size = symbols->unwind_hdr_size, size = symbols->unwind_size - hdr_size;
	uint64_t addr = unwind_addr(symbols);

	buffer__zeros(out, addr - (out->size - start));
	*eh_frame = (Elf64_Shdr){
		.sh_type = SHT_PROGBITS,
		.sh_flags = SHF_ALLOC,
		.sh_addr = addr,
		.sh_offset = out->size - start,
		.sh_size = size,
		.sh_addralign = 8,
	};
	*eh_frame_hdr = *eh_frame;
	eh_frame_hdr->sh_addr += size;
	eh_frame_hdr->sh_offset += size;
	eh_frame_hdr->sh_size = hdr_size;
	eh_frame_hdr->sh_addralign = 4;
	buffer__append(out, symbols->unwind, symbols->unwind_size);
}

int symbol_elf__build(struct buffer *out, const uint8_t *build_id, size_t size,
	const struct text_symbols *symbols)
{
	const uint16_t one = 1;
	Elf64_Ehdr header = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			*(const uint8_t *)&one ? ELFDATA2LSB : ELFDATA2MSB, EV_CURRENT},
		.e_type = symbols->module   ? ET_REL
			  : symbols->shared ? ET_DYN
					    : ET_EXEC,
		.e_machine = MACHINE,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = !symbols->unwind           ? SECTION_EH_FRAME
			   : symbols->unwind_hdr_size ? N_SECTIONS
						      : SECTION_EH_FRAME_HDR,
		.e_shstrndx = SECTION_NAMES,
	};
	Elf64_Shdr sections[N_SECTIONS] = {
		[SECTION_NOTE] = {.sh_type = SHT_NOTE, .sh_flags = SHF_ALLOC, .sh_addralign = 4},
		[SECTION_TEXT] = {.sh_type = SHT_NOBITS,
			.sh_flags = SHF_ALLOC | SHF_EXECINSTR | (symbols->shared ? SHF_WRITE : 0),
			.sh_addralign = 16,
			.sh_addr = symbols->module ? 0 : symbols->start,
			.sh_size = symbols->size},
		[SECTION_SYMTAB] = {.sh_type = SHT_SYMTAB,
			.sh_link = SECTION_STRTAB,
			.sh_entsize = sizeof(Elf64_Sym),
			.sh_addralign = 8},
		[SECTION_STRTAB] = {.sh_type = SHT_STRTAB, .sh_addralign = 1},
		[SECTION_NAMES] = {.sh_type = SHT_STRTAB, .sh_addralign = 1},
	};
	size_t start = out->size;

	if (size > PERFSTAMP_BUILD_ID_MAX ||
		(symbols->unwind && (!symbols->shared || symbols->start < sizeof(Elf64_Ehdr) ||
					    symbols->size > SYMBOL_ELF_UNWIND_TEXT_MAX)))
		return -EINVAL;
	buffer__zeros(out, sizeof(header));
	sections[SECTION_TEXT].sh_offset = symbols->start;
	if (symbols->unwind) {
		sections[SECTION_TEXT].sh_type = SHT_PROGBITS;
		put_unwind(out, start, symbols, &sections[SECTION_EH_FRAME],
			&sections[SECTION_EH_FRAME_HDR]);
		buffer__align(out, start, 8);
	}
	if (symbols->shared)
		put_segments(out, start, symbols, &header);
	sections[SECTION_NOTE].sh_offset = out->size - start;
	put_note(out, build_id, size);
	sections[SECTION_NOTE].sh_size = 12 + sizeof(ELF_NOTE_GNU) + size;
	if (!symbols->shared)
		sections[SECTION_TEXT].sh_offset = out->size - start;
	sections[SECTION_SYMTAB].sh_offset = out->size - start;
	buffer__zeros(out, sizeof(Elf64_Sym));
	sections[SECTION_SYMTAB].sh_info = 1 + put_symbols(out, symbols, true);
	put_symbols(out, symbols, false);
	sections[SECTION_SYMTAB].sh_size = (symbols->n + 1) * sizeof(Elf64_Sym);
	sections[SECTION_STRTAB].sh_offset = out->size - start;
	put_names(out, symbols);
	sections[SECTION_STRTAB].sh_size = out->size - start - sections[SECTION_STRTAB].sh_offset;
	sections[SECTION_NAMES].sh_offset = out->size - start;
	sections[SECTION_NAMES].sh_size = sizeof(NAMES);
	buffer__append(out, NAMES, sizeof(NAMES));
	buffer__align(out, start, 8);
	header.e_shoff = out->size - start;
	for (size_t i = 0; i < header.e_shnum; i++)
		sections[i].sh_name = NAME_AT[i];
	buffer__append(out, sections, header.e_shnum * sizeof(*sections));
	if (out->error)
		return out->error;
	memcpy(out->data + start, &header, sizeof(header));
	return 0;
}
