/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A hash table from keys to the indexes of an array. It contains only numbers, since the elements
 * of the array contain their keys. It takes 11 to 22 bytes for each element. An entry of uthash
 * would take about 90, and reports have millions of elements. Pure.
 */
#ifndef PERFSTAMP_MODEL_NUMBERS_H
#define PERFSTAMP_MODEL_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NUMBERS_NONE UINT32_MAX

struct numbers_slot {
	uint32_t hash;
	uint32_t number; /* index plus one; 0: free */
};

/* All zero: an empty table. */
struct numbers {
	struct numbers_slot *slots;
	size_t room; /* a power of two, or 0 */
	size_t n;
};

/* Whether element @number of @array has this key. */
typedef bool numbers_same_fn(const void *array, uint32_t number, const void *key);

/*
 * Returns the element with the key of @size bytes at @key, or NUMBERS_NONE. Padding is a part of
 * the key.
 */
uint32_t numbers__find(const struct numbers *numbers, const void *key, size_t size,
	numbers_same_fn *same, const void *array);
/*
 * Adds an element, which must not be in the table yet and not be NUMBERS_NONE. Returns 0 or
 * -ENOMEM.
 */
int numbers__add(struct numbers *numbers, const void *key, size_t size, uint32_t number);
void numbers__free(struct numbers *numbers);

#endif
