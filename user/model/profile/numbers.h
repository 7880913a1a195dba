/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which element of an array has a key: a hash table of nothing but numbers, for arrays
 * whose elements have their keys in themselves. It takes 11 to 22 bytes for each; of an
 * entry by uthash it would be some 90, and of reports there are millions. Pure.
 */
#ifndef PERFSTAMP_MODEL_NUMBERS_H
#define PERFSTAMP_MODEL_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NUMBERS_NONE UINT32_MAX

struct numbers_slot {
	uint32_t hash;
	uint32_t number; /* plus one; 0: nothing is here */
};

/* All zero: empty. */
struct numbers {
	struct numbers_slot *slots;
	size_t room; /* a power of two, or 0 */
	size_t n;
};

/* Whether element @number of @array has this key. */
typedef bool numbers_same_fn(const void *array, uint32_t number, const void *key);

/* The element that has the @size bytes at @key, padding among them, as its key; or NONE. */
uint32_t numbers__find(const struct numbers *numbers, const void *key, size_t size,
	numbers_same_fn *same, const void *array);
/* Adds an element that is not in it yet; not NUMBERS_NONE. Returns 0 or -ENOMEM. */
int numbers__add(struct numbers *numbers, const void *key, size_t size, uint32_t number);
void numbers__free(struct numbers *numbers);

#endif
