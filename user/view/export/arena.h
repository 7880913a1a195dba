/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory for a tree of messages, all of which is freed at once. An arena of zeros is empty. */
#ifndef PERFSTAMP_VIEW_EXPORT_ARENA_H
#define PERFSTAMP_VIEW_EXPORT_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *blocks;
};

/*
 * Returns @n elements of @size bytes, zeroed and aligned for any type; NULL if memory is exhausted.
 */
void *arena__alloc(struct arena *arena, size_t n, size_t size);
void arena__free(struct arena *arena);

#endif
