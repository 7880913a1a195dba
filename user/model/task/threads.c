// SPDX-License-Identifier: GPL-2.0-only
/* threads: see threads.h. */
#include "user/model/task/threads.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/keyed_hash.h"

#define ROOM_MIN 4

/* Returns the place of @tid, or the free place for it. There always is one. */
static size_t place_of(const struct threads *threads, uint32_t tid)
{
	size_t i = keyed_hash__of(&tid, sizeof(tid)) & (threads->room - 1);

	while (threads->v[i].tid && threads->v[i].tid != tid)
		i = (i + 1) & (threads->room - 1);
	return i;
}

void threads__free(struct threads *threads)
{
	free(threads->v);
	memset(threads, 0, sizeof(*threads));
}

/* Returns 0, or -ENOMEM with the table unchanged. */
static int resize(struct threads *threads, size_t room)
{
	struct threads other = {.v = calloc(room, sizeof(*other.v)), .n = threads->n, .room = room};

	if (!other.v)
		return -ENOMEM;
	for (size_t i = 0; i < threads->room; i++)
		if (threads->v[i].tid)
			other.v[place_of(&other, threads->v[i].tid)] = threads->v[i];
	free(threads->v);
	*threads = other;
	return 0;
}

bool threads__has(const struct threads *threads, uint32_t tid)
{
	return tid && threads->room && threads->v[place_of(threads, tid)].tid == tid;
}

int threads__see(struct threads *threads, uint32_t tid, uint64_t seen_ns)
{
	struct thread_entry *entry;

	if (!tid)
		return 0;
	if (!threads__has(threads, tid)) {
		/* At most three quarters of the places are used. */
		if (4 * (threads->n + 1) > 3 * threads->room &&
			resize(threads, threads->room ? 2 * threads->room : ROOM_MIN))
			return -ENOMEM;
		threads->n++;
	}
	entry = &threads->v[place_of(threads, tid)];
	entry->tid = tid;
	if (entry->seen_ns < seen_ns)
		entry->seen_ns = seen_ns;
	return 0;
}

/* Removes an entry. Moves later entries, so that each can be found from its home place. */
static void clear(struct threads *threads, size_t hole)
{
	size_t mask = threads->room - 1;

	for (size_t i = (hole + 1) & mask; threads->v[i].tid; i = (i + 1) & mask) {
		size_t home = keyed_hash__of(&threads->v[i].tid, sizeof(uint32_t)) & mask;

		if (((i - home) & mask) < ((i - hole) & mask))
			continue; /* its home is behind the hole */
		threads->v[hole] = threads->v[i];
		hole = i;
	}
	threads->v[hole] = (struct thread_entry){0};
	threads->n--;
}

static void shrink(struct threads *threads)
{
	size_t room = threads->room;

	while (room > ROOM_MIN && 8 * threads->n < room)
		room /= 2;
	if (!threads->n)
		threads__free(threads);
	else if (room < threads->room)
		resize(threads, room); /* without memory, the table keeps its size */
}

void threads__remove(struct threads *threads, uint32_t tid)
{
	if (!threads__has(threads, tid))
		return;
	clear(threads, place_of(threads, tid));
	shrink(threads);
}

void threads__remove_unseen(struct threads *threads, uint64_t since_ns)
{
	/*
	 * clear() may move another entry into the place. The loop visits this entry, or has visited
	 * it.
	 */
	for (size_t i = 0; i < threads->room; i++)
		while (threads->v[i].tid && threads->v[i].seen_ns < since_ns)
			clear(threads, i);
	shrink(threads);
}
