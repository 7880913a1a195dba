// SPDX-License-Identifier: GPL-2.0-only
/* See ksymbols.h. An array, sorted by address. There are some hundreds of symbols at most. */
#include "user/model/ksymbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"

struct ksymbols {
	struct ksymbol *v;
	size_t n;
	size_t room;
	bool looking; /* between ksymbols__look and ksymbols__sweep */
};

int ksymbols__new(struct ksymbols **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? 0 : -ENOMEM;
}

void ksymbols__free(struct ksymbols *symbols)
{
	if (!symbols)
		return;
	for (size_t i = 0; i < symbols->n; i++)
		free(symbols->v[i].name);
	free(symbols->v);
	free(symbols);
}

/* Returns the index of the first symbol at @addr or above. */
static size_t find(const struct ksymbols *symbols, uint64_t addr)
{
	size_t low = 0, high = symbols->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (symbols->v[middle].addr < addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct ksymbol *at(const struct ksymbols *symbols, uint64_t addr)
{
	size_t i = find(symbols, addr);

	return i < symbols->n && symbols->v[i].addr == addr ? &symbols->v[i] : NULL;
}

int ksymbols__add(
	struct ksymbols *symbols, uint64_t addr, uint32_t len, uint16_t type, const char *name)
{
	struct ksymbol *symbol = at(symbols, addr);
	char *copy = strdup(name);
	size_t i;

	if (!copy)
		return -ENOMEM;
	if (symbol) {
		free(symbol->name);
		*symbol = (struct ksymbol){addr, len, type, true, false, copy};
		return 0;
	}
	if (array__reserve(&symbols->v, &symbols->room, symbols->n + 1, sizeof(*symbols->v))) {
		free(copy);
		return -ENOMEM;
	}
	i = find(symbols, addr);
	memmove(&symbols->v[i + 1], &symbols->v[i], (symbols->n - i) * sizeof(*symbols->v));
	symbols->v[i] = (struct ksymbol){addr, len, type, true, false, copy};
	symbols->n++;
	return 0;
}

void ksymbols__remove(struct ksymbols *symbols, uint64_t addr)
{
	struct ksymbol *symbol = at(symbols, addr), *end = symbols->v + symbols->n;

	if (!symbol)
		return;
	symbol->gone = true;
	if (symbols->looking)
		return;
	free(symbol->name);
	memmove(symbol, symbol + 1, (end - symbol - 1) * sizeof(*symbol));
	symbols->n--;
}

void ksymbols__look(struct ksymbols *symbols)
{
	symbols->looking = true;
	for (size_t i = 0; i < symbols->n; i++)
		symbols->v[i].seen = false;
}

bool ksymbols__see(struct ksymbols *symbols, uint64_t addr, const char *name)
{
	struct ksymbol *symbol = at(symbols, addr);

	if (!symbol || strcmp(symbol->name, name) != 0)
		return false;
	symbol->seen = true;
	return true;
}

int ksymbols__sweep(struct ksymbols *symbols, bool programs, bool others,
	int (*fn)(void *ctx, const struct ksymbol *symbol), void *ctx)
{
	size_t kept = 0;
	int code = 0;

	for (size_t i = 0; i < symbols->n; i++) {
		struct ksymbol *symbol = &symbols->v[i];
		bool is_program = !strncmp(symbol->name, "bpf_prog_", 9);
		bool ended = !symbol->seen && (is_program ? programs : others);

		if (!code && !symbol->gone && ended)
			code = fn(ctx, symbol);
		if (symbol->gone || ended)
			free(symbol->name);
		else
			symbols->v[kept++] = *symbol;
	}
	symbols->n = kept;
	symbols->looking = false;
	return code;
}

size_t ksymbols__n(const struct ksymbols *symbols)
{
	return symbols->n;
}
