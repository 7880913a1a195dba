/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbols by address. Decides as perf does (tools/perf/util/symbol.c of Linux) which of several
 * symbols at one address is shown, and where a symbol without a size ends. Pure.
 */
#ifndef PERFSTAMP_SYMBOLS_ELF_TABLE_H
#define PERFSTAMP_SYMBOLS_ELF_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/model/profile/symbol.h"

struct table_symbol {
	uint64_t start;
	uint64_t end; /* address of the byte behind it; .start: not known */
	char *name;
	uint8_t binding; /* STB_* */
	uint8_t origin;  /* enum symbol_origin */
};

struct symbols_table {
	struct table_symbol *v;
	size_t n;
	size_t room;
	uint64_t *reach; /* for each symbol, the highest .end up to it */
};

/* Adds a symbol with a copy of @name. Returns 0 or -ENOMEM. */
int symbols_table__add(struct symbols_table *table, uint64_t start, uint64_t size, const char *name,
	uint8_t binding, enum symbol_origin origin);
/* Must be called once, after all symbols were added. Returns 0 or -ENOMEM. */
int symbols_table__sort(struct symbols_table *table);
/* Finds the innermost symbol that contains @addr, or NULL. */
const struct table_symbol *symbols_table__find(const struct symbols_table *table, uint64_t addr);
/* Finds the symbol with this name, or NULL. */
const struct table_symbol *symbols_table__named(
	const struct symbols_table *table, const char *name);
/*
 * Finds the symbol that is shown of those that begin at @start, or NULL. The table need not be
 * sorted.
 */
const struct table_symbol *symbols_table__at(const struct symbols_table *table, uint64_t start);
void symbols_table__free(struct symbols_table *table);

#endif
