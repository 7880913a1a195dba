// SPDX-License-Identifier: GPL-2.0-only
/*
 * symbols_lines: see symbols_lines.h. The ranges of all units are read once:
 * compilers other than gcc write no .debug_aranges, which libdw would look in.
 */
#include "user/store/symbols_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct range {
	uint64_t start;
	uint64_t end;
	Dwarf_Off die; /* of the unit */
};

struct symbols_lines {
	Dwarf *dwarf;
	struct range *v;
	size_t n;
	size_t room;
};

static bool add(struct symbols_lines *lines, uint64_t start, uint64_t end, Dwarf_Off die)
{
	if (start >= end)
		return true;
	if (lines->n == lines->room) {
		size_t room = lines->room ? 2 * lines->room : 256;
		struct range *v = realloc(lines->v, room * sizeof(*v));

		if (!v)
			return false;
		lines->v = v;
		lines->room = room;
	}
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

struct symbols_lines *symbols_lines__new(Elf *elf)
{
	struct symbols_lines *lines = calloc(1, sizeof(*lines));

	if (!lines)
		return NULL;
	lines->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (lines->dwarf && read_units(lines))
		return lines;
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

void symbols_lines__free(struct symbols_lines *lines)
{
	if (!lines)
		return;
	if (lines->dwarf)
		dwarf_end(lines->dwarf);
	free(lines->v);
	free(lines);
}
