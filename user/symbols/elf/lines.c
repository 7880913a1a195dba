// SPDX-License-Identifier: GPL-2.0-only
/*
 * See lines.h. The ranges of all units are read once, because compilers other than gcc write no
 * .debug_aranges, in which libdw would search.
 */
#include "user/symbols/elf/lines.h"

#include <dwarf.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/parse/elf/line_md5.h"

struct range {
	uint64_t start;
	uint64_t end;
	Dwarf_Off die; /* offset of the unit's DIE */
};

struct symbols_lines {
	Dwarf *dwarf;
	struct range *v;
	size_t n;
	size_t room;
	Elf_Data *table; /* .debug_line; NULL: not used */
	bool swap;
};

static bool add(struct symbols_lines *lines, uint64_t start, uint64_t end, Dwarf_Off die)
{
	if (start >= end)
		return true;
	if (array__reserve(&lines->v, &lines->room, lines->n + 1, sizeof(*lines->v)))
		return false;
	lines->v[lines->n++] = (struct range){start, end, die};
	return true;
}

static int compare(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static bool read_units(struct symbols_lines *lines)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;

	while (!dwarf_get_units(lines->dwarf, cu, &cu, NULL, NULL, &die, NULL)) {
		Dwarf_Addr base, start, end;
		ptrdiff_t at = 0;

		while ((at = dwarf_ranges(&die, at, &base, &start, &end)) > 0)
			if (!add(lines, start, end, dwarf_dieoffset(&die)))
				return false;
	}
	if (lines->n)
		qsort(lines->v, lines->n, sizeof(*lines->v), compare);
	return lines->n;
}

/*
 * Finds .debug_line, but only in linked files: in others, the offsets of tables are unknown until
 * they are relocated. A compressed section has been decompressed by libdw.
 */
static void find_table(struct symbols_lines *lines, Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Ehdr ehdr;
	GElf_Shdr shdr;
	size_t names;

	if (!gelf_getehdr(elf, &ehdr) || ehdr.e_type == ET_REL || elf_getshdrstrndx(elf, &names))
		return;
	lines->swap = (ehdr.e_ident[EI_DATA] == ELFDATA2MSB) !=
		      (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	while (!lines->table && (scn = elf_nextscn(elf, scn))) {
		const char *name = gelf_getshdr(scn, &shdr) ? elf_strptr(elf, names, shdr.sh_name)
							    : NULL;

		if (name && !strcmp(name, ".debug_line") && !(shdr.sh_flags & SHF_COMPRESSED) &&
			shdr.sh_type != SHT_NOBITS)
			lines->table = elf_rawdata(scn, NULL);
	}
}

struct symbols_lines *symbols_lines__new(Elf *elf)
{
	struct symbols_lines *lines = calloc(1, sizeof(*lines));

	if (!lines)
		return NULL;
	lines->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (lines->dwarf && read_units(lines)) {
		find_table(lines, elf);
		return lines;
	}
	symbols_lines__free(lines);
	return NULL;
}

bool symbols_lines__unit(const struct symbols_lines *lines, uint64_t addr, Dwarf_Die *ret)
{
	size_t low = 0, high = lines->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (lines->v[mid].start <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low && addr < lines->v[low - 1].end &&
	       dwarf_offdie(lines->dwarf, lines->v[low - 1].die, ret);
}

void symbols_lines__find(const struct symbols_lines *lines, uint64_t addr, char *ret, size_t size)
{
	const char *file, *slash;
	Dwarf_Line *line;
	Dwarf_Die die;
	int number;

	*ret = '\0';
	if (!symbols_lines__unit(lines, addr, &die))
		return;
	line = dwarf_getsrc_die(&die, addr);
	file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
	if (!file || dwarf_lineno(line, &number))
		return;
	slash = strrchr(file, '/');
	snprintf(ret, size, "%s:%d", slash ? slash + 1 : file, number);
}

static bool find_md5(
	const struct symbols_lines *lines, Dwarf_Die *unit, Dwarf_Line *line, uint8_t *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Files *files;
	Dwarf_Word offset;
	size_t index;

	return lines->table && dwarf_attr(unit, DW_AT_stmt_list, &attr) &&
	       !dwarf_formudata(&attr, &offset) && !dwarf_line_file(line, &files, &index) &&
	       !line_md5__find(
		       lines->table->d_buf, lines->table->d_size, lines->swap, offset, index, ret);
}

void symbols_lines__source(const struct symbols_lines *lines, uint64_t addr,
	struct symbol_source *ret, char *path, size_t size)
{
	Dwarf_Attribute attr;
	const char *file, *dir;
	Dwarf_Line *line;
	Dwarf_Die die;
	int number, len;

	*path = '\0';
	if (!symbols_lines__unit(lines, addr, &die))
		return;
	line = dwarf_getsrc_die(&die, addr);
	file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
	/* Line 0 marks code that belongs to no source line. */
	if (!file || dwarf_lineno(line, &number) || number <= 0)
		return;
	dir = *file == '/' ? NULL : dwarf_formstring(dwarf_attr(&die, DW_AT_comp_dir, &attr));
	len = dir ? snprintf(path, size, "%s/%s", dir, file) : snprintf(path, size, "%s", file);
	if (len < 0 || (size_t)len >= size) {
		*path = '\0'; /* a truncated path would name another file */
		return;
	}
	ret->line = number;
	ret->has_md5 = find_md5(lines, &die, line, ret->md5);
}

void symbols_lines__free(struct symbols_lines *lines)
{
	if (!lines)
		return;
	if (lines->dwarf)
		dwarf_end(lines->dwarf);
	free(lines->v);
	free(lines);
}
