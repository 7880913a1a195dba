/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables of data about a pid or a tid. Each entry has a struct by_number as its first member, so
 * that a pointer to the entry is also a pointer to the member.
 */
#ifndef PERFSTAMP_MODEL_TABLES_BY_NUMBER_H
#define PERFSTAMP_MODEL_TABLES_BY_NUMBER_H

#include <stddef.h>
#include <stdint.h>

#include "user/base/hash.h"

struct by_number {
	UT_hash_handle hh;
	uint32_t number;
};

/* Returns the entry of @number, or NULL. */
void *by_number__find(struct by_number *table, uint32_t number);
/*
 * Adds an entry of @size bytes, all zero except for its number. There must be no entry with this
 * number. NULL: no memory.
 */
void *by_number__add(struct by_number **table, uint32_t number, size_t size);
/* Returns the entry of @number, which is added if there is none. NULL: no memory. */
void *by_number__get(struct by_number **table, uint32_t number, size_t size);
/* Frees all entries. The caller frees before that what they point to. */
void by_number__free(struct by_number **table);

#endif
