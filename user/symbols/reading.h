/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of one DSO as a child reads them: its symbols and, if requested, its lines. Shared by
 * read.c (addresses) and code/read.c (instructions), in the child only.
 */
#ifndef PERFSTAMP_SYMBOLS_READING_H
#define PERFSTAMP_SYMBOLS_READING_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "user/symbols/elf/inlined.h"
#include "user/symbols/elf/lines.h"
#include "user/symbols/elf/table.h"
#include "user/symbols/files.h"
#include "user/symbols/query.h"

struct reading {
	FILE *out;
	const struct symbols_options *options;
	const struct symbols_dso *dso;
	struct symbols_files files;
	struct symbols_table table;
	bool whole; /* not only what a stripped file keeps */
	struct symbols_lines *lines;
	struct symbols_inlined *inlined;
	uint64_t reference; /* KERNEL: address in the table from which offsets count */
	bool has_reference;
	char kallsyms[PATH_MAX]; /* the file from which kernel symbols were read; "": none */
};

/* Finds and reads the files for .options and .dso. */
void reading__load(struct reading *reading);
/* Converts the offset of a byte (model_place) to an address in the table. Returns 0 or -ENOENT. */
int reading__address(const struct reading *reading, uint64_t offset, uint64_t *ret);
/* Returns why an address has no name. */
enum symbol_lack reading__lack(const struct reading *reading);

#endif
