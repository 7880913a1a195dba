/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbols by address. Which of several at one address is shown, and how far one
 * without a size reaches, is as in perf (tools/perf/util/symbol.c of Linux). Pure.
 */
#ifndef PERFSTAMP_SYMBOLS_ELF_TABLE_H
#define PERFSTAMP_SYMBOLS_ELF_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/model/profile/symbol.h"

struct table_symbol {
	uint64_t start;
	uint64_t end; /* the first byte behind it; .start: not known */
	char *name;
	uint8_t binding; /* STB_* */
	uint8_t origin;  /* enum symbol_origin */
};

struct symbols_table {
	struct table_symbol *v;
	size_t n;
	size_t room;
	uint64_t *reach; /* the furthest end of this one and those before it */
};

/* Copies @name. Returns 0 or -ENOMEM. */
int symbols_table__add(struct symbols_table *table, uint64_t start, uint64_t size, const char *name,
	uint8_t binding, enum symbol_origin origin);
/* To be called once, when all are in. Returns 0 or -ENOMEM. */
int symbols_table__sort(struct symbols_table *table);
/* The innermost that @addr is in, or NULL. */
const struct table_symbol *symbols_table__find(const struct symbols_table *table, uint64_t addr);
/* The one of this name, or NULL. */
const struct table_symbol *symbols_table__named(
	const struct symbols_table *table, const char *name);
/* The one that is shown of those that begin at @start, or NULL; needs no order. */
const struct table_symbol *symbols_table__at(const struct symbols_table *table, uint64_t start);
void symbols_table__free(struct symbols_table *table);

#endif
