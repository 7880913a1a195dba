// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer on ELF and DWARF as the readers of symbols, lines and segments drive elfutils:
 * the input is the file. Any bytes give a table that is in order, lines with whole paths, or
 * nothing.
 */
#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "user/io/whole.h"
#include "user/symbols/elf/elf.h"
#include "user/symbols/elf/htlhash.h"
#include "user/symbols/elf/inlined.h"
#include "user/symbols/elf/lines.h"
#include "user/symbols/elf/segments.h"

#define INLINED_MAX 16
#define LOOKED_UP 32

static volatile size_t touched;

static void read_debug(Elf *elf, const uint64_t *addrs, size_t n)
{
	struct symbols_lines *lines = symbols_lines__new(elf);
	struct symbols_inlined *inlined = lines ? symbols_inlined__new(lines) : NULL;
	struct symbols_inline calls[INLINED_MAX];
	struct symbol_source source = {0};
	char text[256];

	for (size_t i = 0; lines && i < n; i++) {
		symbols_lines__find(lines, addrs[i], text, sizeof(text));
		touched += strlen(text);
		symbols_lines__source(lines, addrs[i], &source, text, sizeof(text));
		touched += strlen(text);
		if (!inlined)
			continue;
		for (size_t k = symbols_inlined__find(inlined, addrs[i], calls, INLINED_MAX); k;
			k--) {
			expect(k <= INLINED_MAX);
			touched += calls[k - 1].name ? strlen(calls[k - 1].name) : 0;
			touched += calls[k - 1].call_path ? strlen(calls[k - 1].call_path) : 0;
			touched += calls[k - 1].call_dir ? strlen(calls[k - 1].call_dir) : 0;
		}
	}
	if (inlined)
		symbols_inlined__free(inlined);
	symbols_lines__free(lines);
}

static void read_elf(Elf *elf)
{
	struct symbols_table table = {0};
	uint64_t addrs[LOOKED_UP], addr;
	size_t n = 0;

	symbols_elf__add(&table, elf, SHT_SYMTAB, SYMBOL_SYMTAB);
	symbols_elf__add(&table, elf, SHT_DYNSYM, SYMBOL_DYNSYM);
	symbols_elf__add_plt(&table, elf);
	symbols_elf__add_minidebug(&table, elf);
	expect(!symbols_table__sort(&table));
	for (size_t i = 1; i < table.n; i++)
		expect(table.v[i - 1].start <= table.v[i].start);
	for (size_t i = 0; i < table.n && n < LOOKED_UP - 2; i++) {
		const struct table_symbol *found = symbols_table__find(&table, table.v[i].start);

		expect(!found || found->start <= table.v[i].start);
		addrs[n++] = table.v[i].start;
	}
	if (!symbols_elf__base(elf, &addr))
		addrs[n++] = addr;
	if (!symbols_elf__address(elf, 0x1000, &addr))
		addrs[n++] = addr;
	symbols_elf__address_in_debug(elf, 0x1000, 0x1000, 0x1000, &addr);
	read_debug(elf, addrs, n);
	symbols_table__free(&table);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	int fd = memfd_create("elf", MFD_CLOEXEC);
	uint8_t hash[SYMBOL_HTLHASH_SIZE];
	struct segments segments;
	struct error err = {0};
	char path[64];
	uint64_t addr;
	Elf *elf;

	expect(fd >= 0 && !whole__write(fd, bytes, size));
	elf_version(EV_CURRENT);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!segments__read(&segments, path, &err))
		touched += segments__address(&segments, 0x1000, &addr);
	segments__free(&segments);
	expect(!htlhash__of_file(fd, hash));
	/* It decompresses, too. */
	elf = dwelf_elf_begin(fd);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		read_elf(elf);
	elf_end(elf);
	close(fd);
	return 0;
}
