// SPDX-License-Identifier: GPL-2.0-only
/*
 * See read.h. The bytes are read from the file of the DSO itself: a debug file has no code, and a
 * skeleton has holes instead.
 */
#include "user/symbols/code/read.h"

#include <capstone/capstone.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "user/symbols/progress.h"
#include "user/symbols/reading.h"

/* Capstone, the disassembler library, is loaded only when it is needed. */
#define TEXT_OF(number) #number
#define LIBRARY_OF(major) "libcapstone.so." TEXT_OF(major)
/*
 * The major version is that of the header, because the struct of an instruction differs in the next
 * version.
 */
#define LIBRARY LIBRARY_OF(CS_API_MAJOR)

struct disassembler {
	void *library;
	csh handle;
	cs_insn *insn;
	__typeof__(cs_open) *open;
	__typeof__(cs_option) *option;
	__typeof__(cs_malloc) *malloc;
	__typeof__(cs_disasm_iter) *next;
	__typeof__(cs_free) *free;
	__typeof__(cs_close) *close;
};

static const struct machine {
	uint16_t machine;
	uint8_t class; /* ELFCLASSNONE: either */
	cs_arch arch;
	cs_mode mode;
} MACHINES[] = {
	{EM_X86_64, ELFCLASSNONE, CS_ARCH_X86, CS_MODE_64},
	{EM_386, ELFCLASSNONE, CS_ARCH_X86, CS_MODE_32},
	{EM_AARCH64, ELFCLASSNONE, CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN},
	{EM_ARM, ELFCLASSNONE, CS_ARCH_ARM, CS_MODE_ARM},
	{EM_PPC64, ELFCLASSNONE, CS_ARCH_PPC, CS_MODE_64},
	{EM_PPC, ELFCLASSNONE, CS_ARCH_PPC, CS_MODE_32},
	{EM_S390, ELFCLASS64, CS_ARCH_SYSZ, CS_MODE_BIG_ENDIAN},
	{EM_MIPS, ELFCLASS64, CS_ARCH_MIPS, CS_MODE_MIPS64},
	{EM_MIPS, ELFCLASS32, CS_ARCH_MIPS, CS_MODE_MIPS32},
	{EM_SPARCV9, ELFCLASSNONE, CS_ARCH_SPARC, CS_MODE_V9},
};

static const struct machine *machine_of(const GElf_Ehdr *ehdr)
{
	for (size_t i = 0; i < sizeof(MACHINES) / sizeof(MACHINES[0]); i++)
		if (MACHINES[i].machine == ehdr->e_machine &&
			(!MACHINES[i].class || MACHINES[i].class == ehdr->e_ident[EI_CLASS]))
			return &MACHINES[i];
	return NULL;
}

void code_read__load(void)
{
	dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
}

static bool load(struct disassembler *to)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	to->library = library;
	if (!library)
		return false;
	to->open = (__typeof__(to->open))dlsym(library, "cs_open");
	to->option = (__typeof__(to->option))dlsym(library, "cs_option");
	to->malloc = (__typeof__(to->malloc))dlsym(library, "cs_malloc");
	to->next = (__typeof__(to->next))dlsym(library, "cs_disasm_iter");
	to->free = (__typeof__(to->free))dlsym(library, "cs_free");
	to->close = (__typeof__(to->close))dlsym(library, "cs_close");
	return to->open && to->option && to->malloc && to->next && to->free && to->close;
}

static int start(struct disassembler *to, Elf *elf, bool intel)
{
	const struct machine *machine;
	GElf_Ehdr ehdr;
	int mode;

	if (!load(to))
		return -ENOENT;
	machine = gelf_getehdr(elf, &ehdr) ? machine_of(&ehdr) : NULL;
	if (!machine)
		return -ENOTSUP;
	mode = machine->mode;
	if (ehdr.e_ident[EI_DATA] == ELFDATA2MSB)
		mode |= (int)CS_MODE_BIG_ENDIAN;
	if (to->open(machine->arch, (cs_mode)mode, &to->handle) != CS_ERR_OK)
		return -ENOTSUP;
	/* Bytes that are not instructions are shown as bytes. */
	to->option(to->handle, CS_OPT_SKIPDATA, CS_OPT_ON);
	if (machine->arch == CS_ARCH_X86)
		to->option(
			to->handle, CS_OPT_SYNTAX, intel ? CS_OPT_SYNTAX_INTEL : CS_OPT_SYNTAX_ATT);
	to->insn = to->malloc(to->handle);
	return to->insn ? 0 : -ENOMEM;
}

static void disassembler__free(struct disassembler *disassembler)
{
	if (!disassembler)
		return;
	if (disassembler->insn)
		disassembler->free(disassembler->insn, 1);
	if (disassembler->handle)
		disassembler->close(&disassembler->handle);
	if (disassembler->library)
		dlclose(disassembler->library);
	free(disassembler);
}

/*
 * Returns 0; -ENOENT if the library is not installed; -ENOTSUP if it does not support the machine;
 * -ENOMEM.
 */
static int disassembler__new(struct disassembler **ret, Elf *elf, bool intel)
{
	int err;

	*ret = calloc(1, sizeof(**ret));
	if (!*ret)
		return -ENOMEM;
	err = start(*ret, elf, intel);
	if (err) {
		disassembler__free(*ret);
		*ret = NULL;
	}
	return err;
}

static const cs_insn *disassembler__next(
	struct disassembler *disassembler, const uint8_t **bytes, size_t *left, uint64_t *address)
{
	if (!*left ||
		!disassembler->next(disassembler->handle, bytes, left, address, disassembler->insn))
		return NULL;
	return disassembler->insn;
}

/* Finds the code at @addr in the file, and the number of bytes from there on. */
static enum code_lack find_code(Elf *elf, uint64_t addr, uint64_t *ret_offset, uint64_t *ret_size)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	GElf_Ehdr ehdr;
	size_t names;

	if (!gelf_getehdr(elf, &ehdr) || elf_getshdrstrndx(elf, &names))
		return CODE_LACKS_FILE;
	while ((scn = elf_nextscn(elf, scn))) {
		uint64_t start;
		const char *name;

		if (!gelf_getshdr(scn, &shdr) || !(shdr.sh_flags & SHF_EXECINSTR))
			continue;
		name = elf_strptr(elf, names, shdr.sh_name);
		/* In a relocatable file, addresses count from the start of .text. */
		if (ehdr.e_type == ET_REL && (!name || strcmp(name, ".text") != 0))
			continue;
		start = ehdr.e_type == ET_REL ? 0 : shdr.sh_addr;
		if (addr < start || addr - start >= shdr.sh_size)
			continue;
		if (shdr.sh_type != SHT_PROGBITS)
			return CODE_LACKS_BYTES;
		*ret_offset = shdr.sh_offset + (addr - start);
		*ret_size = shdr.sh_size - (addr - start);
		return CODE_LACKS_NOTHING;
	}
	return CODE_LACKS_BYTES;
}

/* Appends "<main+0x12>" to the target address of a jump. */
static void add_target(const struct reading *reading, const cs_insn *insn, char *text, size_t size)
{
	const struct table_symbol *symbol;
	size_t len = strlen(text);
	uint64_t addr;
	char *end;

	if (strncmp(insn->op_str, "0x", 2) != 0)
		return;
	addr = strtoull(insn->op_str, &end, 16);
	symbol = *end ? NULL : symbols_table__find(&reading->table, addr);
	if (!symbol)
		return;
	if (addr == symbol->start)
		snprintf(text + len, size - len, " <%s>", symbol->name);
	else
		snprintf(text + len, size - len, " <%s+0x%llx>", symbol->name,
			(unsigned long long)(addr - symbol->start));
}

static void answer(const struct reading *reading, const cs_insn *insn, uint64_t offset)
{
	char text[CODE_TEXT_MAX], path[PATH_MAX] = "";
	struct code_one one;

	memset(&one, 0, sizeof(one));
	one.offset = offset;
	one.address = insn->address;
	one.size = insn->size;
	if (*insn->op_str)
		snprintf(text, sizeof(text), "%-7s %s", insn->mnemonic, insn->op_str);
	else
		snprintf(text, sizeof(text), "%s", insn->mnemonic);
	add_target(reading, insn, text, sizeof(text));
	if (reading->lines)
		symbols_lines__source(
			reading->lines, insn->address, &one.source, path, sizeof(path));
	one.text_len = strlen(text);
	one.path_len = strlen(path);
	fputc(CODE_ONE, reading->out);
	fwrite(&one, sizeof(one), 1, reading->out);
	fwrite(text, 1, one.text_len, reading->out);
	fwrite(path, 1, one.path_len, reading->out);
}

static enum code_lack disassemble(const struct reading *reading, uint64_t offset, uint64_t addr,
	bool intel, struct code_outcome *outcome)
{
	const struct table_symbol *symbol = symbols_table__find(&reading->table, addr);
	Elf *elf = reading->files.content.elf;
	uint64_t at, size, next;
	const uint8_t *bytes;
	Elf_Data *data;
	struct disassembler *disassembler;
	const cs_insn *insn;
	enum code_lack lack;
	size_t left;
	int err;

	if (!symbol)
		return CODE_LACKS_SYMBOL;
	lack = find_code(elf, symbol->start, &at, &size);
	if (lack)
		return lack;
	if (symbol->end > symbol->start && symbol->end - symbol->start < size)
		size = symbol->end - symbol->start;
	outcome->offset = offset - (addr - symbol->start);
	outcome->size = size;
	if (size > CODE_SIZE_MAX)
		size = CODE_SIZE_MAX;
	data = elf_getdata_rawchunk(elf, (int64_t)at, size, ELF_T_BYTE);
	if (!data || !data->d_buf)
		return CODE_LACKS_BYTES;
	err = disassembler__new(&disassembler, elf, intel);
	if (err)
		return err == -ENOENT ? CODE_LACKS_LIBRARY : CODE_LACKS_MACHINE;
	bytes = data->d_buf;
	left = data->d_size;
	next = symbol->start;
	while ((insn = disassembler__next(disassembler, &bytes, &left, &next)))
		answer(reading, insn, offset - (addr - insn->address));
	disassembler__free(disassembler);
	return CODE_LACKS_NOTHING;
}

void code_read(FILE *out, const struct symbols_options *options, const struct symbols_dso *dso,
	uint64_t offset, bool intel)
{
	struct reading reading = {.out = out, .options = options, .dso = dso};
	struct symbols_options fetching = *options;
	struct code_outcome outcome;
	uint64_t addr;

	memset(&outcome, 0, sizeof(outcome));
	elf_version(EV_CURRENT);
	reading__load(&reading);
	fetching.progress = progress__report;
	fetching.ctx = out;
	if (options->debuginfod)
		symbols_files__fetch_content(&reading.files, &fetching, dso);
	outcome.lack = reading.files.no_code || reading.files.debug.elf ? CODE_LACKS_BYTES
									: CODE_LACKS_FILE;
	if (reading.files.content.elf && !reading.files.no_code &&
		symbols_files__are_unchanged(&reading.files) &&
		!reading__address(&reading, offset, &addr)) {
		outcome.lack = disassemble(&reading, offset, addr, intel, &outcome);
		snprintf(outcome.file, sizeof(outcome.file), "%s", reading.files.content.path);
	}
	fputc(CODE_END, out);
	fwrite(&outcome, sizeof(outcome), 1, out);
	fflush(out);
}
