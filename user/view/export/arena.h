/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory of a tree of messages, which is freed at once. All zero: empty. */
#ifndef PERFSTAMP_VIEW_EXPORT_ARENA_H
#define PERFSTAMP_VIEW_EXPORT_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *blocks;
};

/* @n elements of @size bytes, zeroed, aligned for any type; NULL without memory. */
void *arena__alloc(struct arena *arena, size_t n, size_t size);
void arena__free(struct arena *arena);

#endif
