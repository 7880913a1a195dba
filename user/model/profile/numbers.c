// SPDX-License-Identifier: GPL-2.0-only
/* See numbers.h. Open addressing with linear probing. */
#include "user/model/profile/numbers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ROOM_MIN 256

/* Multiplies and folds, eight bytes at a time. */
static uint32_t hash_of(const void *key, size_t size)
{
	const char *at = key;
	uint64_t hash = size, word;

	for (size_t i = 0; i < size; i += sizeof(word)) {
		word = 0;
		memcpy(&word, at + i, size - i < sizeof(word) ? size - i : sizeof(word));
		hash = (hash ^ word) * 0x9e3779b97f4a7c15;
		hash ^= hash >> 32;
	}
	return hash * 0x9e3779b97f4a7c15 >> 32;
}

uint32_t numbers__find(const struct numbers *numbers, const void *key, size_t size,
	numbers_same_fn *same, const void *array)
{
	uint32_t hash = hash_of(key, size);
	const struct numbers_slot *slot;

	/* At least a quarter of the slots is free, so the loop ends. */
	for (size_t i = hash; numbers->room; i++) {
		slot = &numbers->slots[i & (numbers->room - 1)];
		if (!slot->number)
			break;
		if (slot->hash == hash && same(array, slot->number - 1, key))
			return slot->number - 1;
	}
	return NUMBERS_NONE;
}

static void put(struct numbers *numbers, struct numbers_slot new)
{
	size_t i = new.hash;

	while (numbers->slots[i & (numbers->room - 1)].number)
		i++;
	numbers->slots[i & (numbers->room - 1)] = new;
}

static int grow(struct numbers *numbers)
{
	struct numbers old = *numbers;
	size_t room = old.room ? 2 * old.room : ROOM_MIN;
	struct numbers_slot *slots = calloc(room, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	numbers->slots = slots;
	numbers->room = room;
	for (size_t i = 0; i < old.room; i++)
		if (old.slots[i].number)
			put(numbers, old.slots[i]);
	free(old.slots);
	return 0;
}

int numbers__add(struct numbers *numbers, const void *key, size_t size, uint32_t number)
{
	if (numbers->n >= numbers->room / 4 * 3 && grow(numbers))
		return -ENOMEM;
	put(numbers, (struct numbers_slot){hash_of(key, size), number + 1});
	numbers->n++;
	return 0;
}

void numbers__free(struct numbers *numbers)
{
	free(numbers->slots);
	*numbers = (struct numbers){0};
}
