/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel symbols in a recording, to compare them with the existing symbols after
 * records were lost.
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
	bool gone;     /* removed since ksymbols__look; an earlier reading may still have it */
	char *name;
};

/* Returns 0 or -ENOMEM. ksymbols__free() accepts NULL. */
int ksymbols__new(struct ksymbols **ret);
void ksymbols__free(struct ksymbols *symbols);

/*
 * Adds a symbol, marked as seen, which replaces another one at its address. Returns 0 or
 * -ENOMEM.
 */
int ksymbols__add(
	struct ksymbols *symbols, uint64_t addr, uint32_t len, uint16_t type, const char *name);
/* Removes the symbol at @addr, if there is one. */
void ksymbols__remove(struct ksymbols *symbols, uint64_t addr);

/* Begins a comparison: marks all symbols as not seen. */
void ksymbols__look(struct ksymbols *symbols);
/* Marks the one of this address and name as seen. Whether it is known, or has gone meanwhile. */
bool ksymbols__see(struct ksymbols *symbols, uint64_t addr, const char *name);
/*
 * Removes each symbol that was not seen since the last sweep, and calls @fn for it: for BPF
 * programs (known by their name) if @programs, for other symbols if @others. Symbols that were
 * reported as removed disappear without a call. After a nonzero result of @fn, which is returned,
 * it does not call @fn again. Otherwise returns 0.
 */
int ksymbols__sweep(struct ksymbols *symbols, bool programs, bool others,
	int (*fn)(void *ctx, const struct ksymbol *symbol), void *ctx);

size_t ksymbols__n(const struct ksymbols *symbols);

#endif
