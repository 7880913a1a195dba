/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel symbols that a recording has announced, so that what is there by
 * now can be held against it where records of their comings and goings were lost.
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
	bool gone;     /* since then, too: what was read before may have it still */
	char *name;
};

/* Returns 0 or -ENOMEM. NULL is let pass. */
int ksymbols__new(struct ksymbols **ret);
void ksymbols__free(struct ksymbols *symbols);

/* One that came, seen as of now; in the place of another at its address. Returns 0 or -ENOMEM. */
int ksymbols__add(
	struct ksymbols *symbols, uint64_t addr, uint32_t len, uint16_t type, const char *name);
/* The one at @addr, if there is one, is gone. */
void ksymbols__remove(struct ksymbols *symbols, uint64_t addr);

/* From here on it is looked which are there: none is seen. */
void ksymbols__look(struct ksymbols *symbols);
/* Marks the one of this address and name as seen. Whether it is known, or has gone meanwhile. */
bool ksymbols__see(struct ksymbols *symbols, uint64_t addr, const char *name);
/*
 * Calls @fn for each that was not seen, BPF programs (by their name) if @programs, what
 * else there is if @others, and forgets it. What is gone is forgotten without. 0, or what
 * @fn returned, which ends it.
 */
int ksymbols__sweep(struct ksymbols *symbols, bool programs, bool others,
	int (*fn)(void *ctx, const struct ksymbol *symbol), void *ctx);

size_t ksymbols__n(const struct ksymbols *symbols);

#endif
