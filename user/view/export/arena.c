// SPDX-License-Identifier: GPL-2.0-only
/* See arena.h. */
#include "user/view/export/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>

#define BLOCK_SIZE ((size_t)1 << 20) /* bytes; a larger object has a separate block */

struct arena_block {
	struct arena_block *next;
	size_t used, size;
	alignas(max_align_t) unsigned char bytes[];
};

void *arena__alloc(struct arena *arena, size_t n, size_t size)
{
	struct arena_block *block = arena->blocks;
	size_t wanted, align = alignof(max_align_t);
	void *at;

	if (__builtin_mul_overflow(n, size, &wanted) || wanted > SIZE_MAX / 2)
		return NULL;
	wanted = (wanted + align - 1) / align * align;
	if (!block || block->size - block->used < wanted) {
		size_t room = wanted > BLOCK_SIZE ? wanted : BLOCK_SIZE;

		block = calloc(1, sizeof(*block) + room);
		if (!block)
			return NULL;
		block->size = room;
		block->next = arena->blocks;
		arena->blocks = block;
	}
	at = block->bytes + block->used;
	block->used += wanted;
	return at;
}

void arena__free(struct arena *arena)
{
	struct arena_block *block = arena->blocks, *next;

	for (; block; block = next) {
		next = block->next;
		free(block);
	}
	arena->blocks = NULL;
}
