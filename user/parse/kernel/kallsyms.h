/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lines of /proc/kallsyms: "ffffffff81000000 T _stext", with "\t[module]" appended for a
 * module's symbol. The file has several megabytes, so it is parsed in pieces of any size. Pure.
 */
#ifndef PERFSTAMP_PARSE_KALLSYMS_H
#define PERFSTAMP_PARSE_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KALLSYMS_LINE_MAX 1024 /* KSYM_NAME_LEN is 512 */

struct kallsyms_symbol {
	uint64_t addr; /* 0 if kptr_restrict hides it */
	char type;     /* type as in nm */
	char *name;
	char *module; /* NULL for the kernel's own */
};

/* A value other than 0 ends the parsing and is returned. */
typedef int kallsyms_symbol_fn(void *ctx, const struct kallsyms_symbol *symbol);

struct kallsyms {
	char line[KALLSYMS_LINE_MAX];
	size_t len;
	bool skip; /* skipping to the end of a line that is too long */
};

/* Initializes the state, which need not be freed. */
void kallsyms__init(struct kallsyms *kallsyms);
/*
 * Calls @fn for each line that @bytes completes; invalid lines are skipped. Returns 0 or what @fn
 * returned.
 */
int kallsyms__feed(struct kallsyms *kallsyms, const char *bytes, size_t size,
	kallsyms_symbol_fn *fn, void *ctx);

/* The location of the kernel's text. */
struct kallsyms_kernel {
	bool has_text, has_stext, has_etext;
	uint64_t text, stext, etext;
	bool hidden; /* addresses are present, and all are 0 */
};

/* A kallsyms_symbol_fn that fills it. Returns 1 when everything has been found. */
int kallsyms_kernel__add(void *kernel, const struct kallsyms_symbol *symbol);

#endif
