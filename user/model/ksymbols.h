/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel symbols of a recording. After a loss of records, they are compared with the symbols
 * that exist.
 */
#ifndef PERFSTAMP_MODEL_KSYMBOLS_H
#define PERFSTAMP_MODEL_KSYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ksymbols;

struct ksymbol {
	uint64_t addr;
	uint32_t len;
	uint16_t type; /* PERF_RECORD_KSYMBOL_TYPE_* */
	bool seen;     /* since ksymbols__look */
	/* Removed since ksymbols__look; a list that was read earlier may still contain it. */
	bool gone;
	char *name;
};

/* Returns 0 or -ENOMEM. ksymbols__free() accepts NULL. */
int ksymbols__new(struct ksymbols **ret);
void ksymbols__free(struct ksymbols *symbols);

/*
 * Adds a symbol, marked as seen. It replaces another symbol at its address. Returns 0 or -ENOMEM.
 */
int ksymbols__add(
	struct ksymbols *symbols, uint64_t addr, uint32_t len, uint16_t type, const char *name);
/* Removes the symbol at @addr, if there is one. */
void ksymbols__remove(struct ksymbols *symbols, uint64_t addr);

/* Begins a comparison: marks all symbols as not seen. */
void ksymbols__look(struct ksymbols *symbols);
/*
 * Marks the symbol with this address and name as seen. Returns true if it is known, or was removed
 * since ksymbols__look.
 */
bool ksymbols__see(struct ksymbols *symbols, uint64_t addr, const char *name);
/*
 * Removes each symbol that was not seen since the last sweep, and calls @fn for it: for BPF
 * programs (recognized by their names) if @programs, for other symbols if @others. Does not call
 * @fn for symbols that were reported as removed. Stops at a nonzero result of @fn and returns it;
 * otherwise returns 0.
 */
int ksymbols__sweep(struct ksymbols *symbols, bool programs, bool others,
	int (*fn)(void *ctx, const struct ksymbol *symbol), void *ctx);

size_t ksymbols__n(const struct ksymbols *symbols);

#endif
