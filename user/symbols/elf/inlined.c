// SPDX-License-Identifier: GPL-2.0-only
/*
 * See inlined.h. The functions of a unit are read once, at the first request for an address in it,
 * because libdw's own search goes through the whole unit for each address.
 */
#include "user/symbols/elf/inlined.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdlib.h>

#include "user/base/array.h"
#include "user/base/hash.h"

#define NESTING_MAX 64 /* depth of namespaces and blocks; no compiler exceeds it */

struct function_range {
	uint64_t start;
	uint64_t end;
	Dwarf_Die die;
};

struct unit {
	UT_hash_handle hh;
	Dwarf_Off offset;
	struct function_range *v;
	size_t n, room;
};

struct symbols_inlined {
	const struct symbols_lines *lines;
	struct unit *units;
};

static bool add_range(struct unit *unit, const struct function_range *range)
{
	if (range->start >= range->end)
		return true;
	if (array__reserve(&unit->v, &unit->room, unit->n + 1, sizeof(*unit->v)))
		return false;
	unit->v[unit->n++] = *range;
	return true;
}

/* Adds the ranges of a function. A mere declaration has none. */
static bool add_function(struct unit *unit, Dwarf_Die *die)
{
	struct function_range range = {.die = *die};
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		range.start = start;
		range.end = end;
		if (!add_range(unit, &range))
			return false;
	}
	return true;
}

/* Rust puts functions into namespaces and types. */
static bool has_functions(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_class_type || tag == DW_TAG_union_type ||
	       tag == DW_TAG_enumeration_type || tag == DW_TAG_module;
}

static bool add_functions(struct unit *unit, Dwarf_Die *parent, unsigned int nesting)
{
	Dwarf_Die die;

	if (nesting > NESTING_MAX || dwarf_child(parent, &die))
		return true;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_subprogram && !add_function(unit, &die))
			return false;
		if (has_functions(tag) && !add_functions(unit, &die, nesting + 1))
			return false;
	} while (!dwarf_siblingof(&die, &die));
	return true;
}

static int compare(const void *a, const void *b)
{
	const struct function_range *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static struct unit *unit_of(struct symbols_inlined *inlined, Dwarf_Die *die)
{
	Dwarf_Off offset = dwarf_dieoffset(die);
	struct unit *unit;

	HASH_FIND(hh, inlined->units, &offset, sizeof(offset), unit);
	if (unit)
		return unit;
	unit = calloc(1, sizeof(*unit));
	if (!unit)
		return NULL;
	unit->offset = offset;
	if (add_functions(unit, die, 0)) {
		if (unit->n)
			qsort(unit->v, unit->n, sizeof(*unit->v), compare);
		HASH_ADD(hh, inlined->units, offset, sizeof(offset), unit);
		if (hash__added(unit))
			return unit;
	}
	free(unit->v);
	free(unit);
	return NULL;
}

static Dwarf_Die *function_at(struct unit *unit, uint64_t addr)
{
	size_t low = 0, high = unit->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (unit->v[mid].start <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low && addr < unit->v[low - 1].end ? &unit->v[low - 1].die : NULL;
}

static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) ||
		dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute))
		return dwarf_formstring(&attribute);
	return dwarf_diename(die);
}

/* Finds the child of @parent that contains @addr, among those that can have inlined functions. */
static bool find_inner(Dwarf_Die *parent, uint64_t addr, Dwarf_Die *ret)
{
	if (dwarf_child(parent, ret))
		return false;
	do {
		int tag = dwarf_tag(ret);

		if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) &&
			dwarf_haspc(ret, addr) > 0)
			return true;
	} while (!dwarf_siblingof(ret, ret));
	return false;
}

static void find_call(Dwarf_Die *unit, Dwarf_Die *die, struct symbols_inline *ret)
{
	Dwarf_Attribute attribute;
	Dwarf_Files *files;
	Dwarf_Word number;
	size_t n;

	if (!dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attribute), &number) &&
		number <= UINT32_MAX)
		ret->call_line = number;
	if (dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attribute), &number) ||
		dwarf_getsrcfiles(unit, &files, &n) || number >= n)
		return;
	ret->call_path = dwarf_filesrc(files, number, NULL, NULL);
	if (ret->call_path && *ret->call_path != '/')
		ret->call_dir = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
}

struct symbols_inlined *symbols_inlined__new(const struct symbols_lines *lines)
{
	struct symbols_inlined *inlined = calloc(1, sizeof(*inlined));

	if (inlined)
		inlined->lines = lines;
	return inlined;
}

size_t symbols_inlined__find(
	struct symbols_inlined *inlined, uint64_t addr, struct symbols_inline *ret, size_t max)
{
	Dwarf_Die cu, die, inner, *function;
	struct unit *unit;
	size_t n = 0;

	if (!symbols_lines__unit(inlined->lines, addr, &cu))
		return 0;
	unit = unit_of(inlined, &cu);
	function = unit ? function_at(unit, addr) : NULL;
	if (!function)
		return 0;
	die = *function;
	for (unsigned int i = 0; i < NESTING_MAX && n < max && find_inner(&die, addr, &inner);
		i++) {
		const char *name = NULL;

		if (dwarf_tag(&inner) == DW_TAG_inlined_subroutine)
			name = name_of(&inner);
		if (name) {
			ret[n] = (struct symbols_inline){.name = name};
			find_call(&cu, &inner, &ret[n++]);
		}
		die = inner;
	}
	return n;
}

void symbols_inlined__free(struct symbols_inlined *inlined)
{
	struct unit *unit, *next;

	if (!inlined)
		return;
	HASH_ITER (hh, inlined->units, unit, next) {
		HASH_DEL(inlined->units, unit);
		free(unit->v);
		free(unit);
	}
	free(inlined);
}
