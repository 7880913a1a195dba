// SPDX-License-Identifier: GPL-2.0-only
/* chains: see chains.h. */
#include "user/model/chains.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/model/hash.h"

struct frame_key {
	uint32_t parent, function;
};

struct frame_entry {
	UT_hash_handle hh;
	struct frame_key key;
	uint32_t index;
};

struct chain_entry {
	UT_hash_handle hh;
	struct chain chain;
};

struct chains {
	uint32_t *of; /* by the samples' frames */
	struct chain_frame *frames;
	size_t n_frames, frames_room;
	struct frame_entry *frame_by_key;
	struct chain_entry *by_key;
	struct chain_entry **v;
	size_t n, room;
};

static int add_frame(struct chains *chains, const struct frame_key *key, uint32_t *ret)
{
	uint32_t parent = key->parent;
	struct frame_entry *entry;

	if (chains->n_frames == chains->frames_room) {
		size_t room = chains->frames_room ? 2 * chains->frames_room : 256;
		struct chain_frame *v = realloc(chains->frames, room * sizeof(*v));

		if (!v)
			return -ENOMEM;
		chains->frames = v;
		chains->frames_room = room;
	}
	entry = calloc(1, sizeof(*entry));
	if (!entry)
		return -ENOMEM;
	entry->key = *key;
	entry->index = *ret = chains->n_frames;
	HASH_ADD(hh, chains->frame_by_key, key, sizeof(*key), entry);
	if (!hash__added(entry)) {
		free(entry);
		return -ENOMEM;
	}
	chains->frames[chains->n_frames++] = (struct chain_frame){
		.parent = parent,
		.function = key->function,
		.depth = parent == SAMPLES_NONE ? 0 : chains->frames[parent].depth + 1,
	};
	return 0;
}

static int find_frame(struct chains *chains, uint32_t parent, uint32_t function, uint32_t *ret)
{
	struct frame_key key;
	struct frame_entry *entry;

	memset(&key, 0, sizeof(key));
	key.parent = parent;
	key.function = function;
	HASH_FIND(hh, chains->frame_by_key, &key, sizeof(key), entry);
	if (!entry)
		return add_frame(chains, &key, ret);
	*ret = entry->index;
	return 0;
}

static int take_frame(struct chains *chains, const struct functions *functions,
	const struct frame *frame, bool callers, uint32_t *ret)
{
	uint32_t at = SAMPLES_NONE;
	size_t n;
	const uint32_t *of = functions__of(functions, frame->place, &n);
	int err = 0;

	if (callers && frame->parent != SAMPLES_NONE)
		at = chains->of[frame->parent];
	for (size_t i = 0; i < (callers ? n : 1) && !err; i++)
		err = find_frame(chains, at, of[i], &at);
	*ret = at;
	return err;
}

int chains__new(struct chains **ret, const struct samples *samples,
	const struct functions *functions, bool callers)
{
	struct chains *chains = calloc(1, sizeof(*chains));
	size_t n = samples__n_frames(samples);
	int err = 0;

	*ret = chains;
	if (!chains)
		return -ENOMEM;
	chains->of = calloc(n + 1, sizeof(*chains->of));
	if (!chains->of)
		return -ENOMEM;
	/* A caller's number is below that of whom it called. */
	for (size_t i = 0; i < n && !err; i++)
		err = take_frame(
			chains, functions, samples__frame(samples, i), callers, &chains->of[i]);
	return err;
}

void chains__free(struct chains *chains)
{
	struct frame_entry *frame, *next_frame;
	struct chain_entry *entry, *next;

	if (!chains)
		return;
	HASH_ITER (hh, chains->frame_by_key, frame, next_frame) {
		HASH_DEL(chains->frame_by_key, frame);
		free(frame);
	}
	HASH_ITER (hh, chains->by_key, entry, next) {
		HASH_DEL(chains->by_key, entry);
		free(entry);
	}
	free(chains->of);
	free(chains->frames);
	free(chains->v);
	free(chains);
}

uint32_t chains__frame_of(const struct chains *chains, uint32_t frame)
{
	return chains->of[frame];
}

static struct chain_entry *add_chain(struct chains *chains, const struct chain_key *key)
{
	struct chain_entry *entry;

	if (chains->n == chains->room) {
		size_t room = chains->room ? 2 * chains->room : 256;
		struct chain_entry **v = realloc(chains->v, room * sizeof(struct chain_entry *));

		if (!v)
			return NULL;
		chains->v = v;
		chains->room = room;
	}
	entry = calloc(1, sizeof(*entry));
	if (!entry)
		return NULL;
	entry->chain.key = *key;
	HASH_ADD(hh, chains->by_key, chain.key, sizeof(*key), entry);
	if (!hash__added(entry)) {
		free(entry);
		return NULL;
	}
	chains->v[chains->n++] = entry;
	return entry;
}

int chains__add(struct chains *chains, const struct chain_key *key, uint64_t n, uint64_t period)
{
	struct chain_entry *entry;

	HASH_FIND(hh, chains->by_key, key, sizeof(*key), entry);
	if (!entry)
		entry = add_chain(chains, key);
	if (!entry)
		return -ENOMEM;
	entry->chain.n += n;
	entry->chain.period += period;
	return 0;
}

const struct chain_frame *chains__frame(const struct chains *chains, uint32_t i)
{
	return &chains->frames[i];
}

size_t chains__n(const struct chains *chains)
{
	return chains->n;
}

const struct chain *chains__at(const struct chains *chains, size_t i)
{
	return &chains->v[i]->chain;
}
