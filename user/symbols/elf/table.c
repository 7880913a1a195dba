// SPDX-License-Identifier: GPL-2.0-only
/*
 * See table.h.
 */
#include "user/symbols/elf/table.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"

#define LAST_SIZE 4096 /* size of the last symbol, if it has none: as in perf */

int symbols_table__add(struct symbols_table *table, uint64_t start, uint64_t size, const char *name,
	uint8_t binding, enum symbol_origin origin)
{
	uint64_t end = start + size < start ? UINT64_MAX : start + size;

	if (array__reserve(&table->v, &table->room, table->n + 1, sizeof(*table->v)))
		return -ENOMEM;
	table->v[table->n] = (struct table_symbol){
		.start = start,
		.end = end,
		.name = strdup(name),
		.binding = binding,
		.origin = origin,
	};
	return table->v[table->n++].name ? 0 : -ENOMEM;
}

static size_t underscores(const char *name)
{
	return strspn(name, "_");
}

/* Whether perf prefers @a to @b, which begin at the same address. */
static bool is_better(const struct table_symbol *a, const struct table_symbol *b)
{
	bool a_sized = a->end != a->start, b_sized = b->end != b->start;
	bool a_weak = a->binding == STB_WEAK, b_weak = b->binding == STB_WEAK;
	bool a_global = a->binding == STB_GLOBAL, b_global = b->binding == STB_GLOBAL;
	size_t a_len = strlen(a->name), b_len = strlen(b->name);

	if (a_sized != b_sized)
		return a_sized;
	if (a_weak != b_weak)
		return b_weak;
	if (a_global != b_global)
		return a_global;
	if (underscores(a->name) != underscores(b->name))
		return underscores(a->name) < underscores(b->name);
	if (a_len != b_len)
		return a_len > b_len;
	return strcmp(a->name, b->name) < 0;
}

static int compare(const void *a, const void *b)
{
	const struct table_symbol *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (is_better(x, y))
		return -1;
	return is_better(y, x);
}

int symbols_table__sort(struct symbols_table *table)
{
	size_t n = 0;

	if (!table->n)
		return 0;
	qsort(table->v, table->n, sizeof(*table->v), compare);
	for (size_t i = 0; i < table->n; i++) {
		if (n && table->v[n - 1].start == table->v[i].start)
			free(table->v[i].name);
		else
			table->v[n++] = table->v[i];
	}
	table->n = n;
	table->reach = calloc(n, sizeof(*table->reach));
	if (!table->reach)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		struct table_symbol *symbol = &table->v[i];

		if (symbol->end == symbol->start)
			symbol->end = i + 1 < n ? table->v[i + 1].start
						: (symbol->start | (LAST_SIZE - 1)) + 1;
		table->reach[i] = symbol->end;
		if (i && table->reach[i - 1] > table->reach[i])
			table->reach[i] = table->reach[i - 1];
	}
	return 0;
}

const struct table_symbol *symbols_table__find(const struct symbols_table *table, uint64_t addr)
{
	size_t low = 0, high = table->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (table->v[mid].start <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	/*
	 * The nearest symbol before @addr, or one further back that is large enough to contain
	 * @addr.
	 */
	for (size_t i = low; i > 0 && table->reach[i - 1] > addr; i--)
		if (addr < table->v[i - 1].end)
			return &table->v[i - 1];
	return NULL;
}

const struct table_symbol *symbols_table__named(const struct symbols_table *table, const char *name)
{
	for (size_t i = 0; i < table->n; i++)
		if (!strcmp(table->v[i].name, name))
			return &table->v[i];
	return NULL;
}

const struct table_symbol *symbols_table__at(const struct symbols_table *table, uint64_t start)
{
	const struct table_symbol *best = NULL;

	for (size_t i = 0; i < table->n; i++)
		if (table->v[i].start == start && (!best || is_better(&table->v[i], best)))
			best = &table->v[i];
	return best;
}

void symbols_table__free(struct symbols_table *table)
{
	for (size_t i = 0; i < table->n; i++)
		free(table->v[i].name);
	free(table->v);
	free(table->reach);
	*table = (struct symbols_table){0};
}
