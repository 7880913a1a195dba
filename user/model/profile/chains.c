// SPDX-License-Identifier: GPL-2.0-only
/* chains: see chains.h. */
#include "user/model/profile/chains.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/model/profile/numbers.h"

struct frame_key {
	uint32_t parent, function;
};

struct chains {
	uint32_t *of; /* by frame of the samples: the frame here */
	struct chain_frame *frames;
	size_t n_frames, frames_room;
	struct numbers frame_by_key, by_key;
	struct chain *v;
	size_t n, room;
};

static bool is_frame(const void *frames, uint32_t number, const void *wanted)
{
	const struct chain_frame *frame = (const struct chain_frame *)frames + number;
	const struct frame_key *key = wanted;

	return frame->parent == key->parent && frame->function == key->function;
}

static bool is_chain(const void *chains, uint32_t number, const void *key)
{
	const struct chain *chain = (const struct chain *)chains + number;

	return !memcmp(&chain->key, key, sizeof(chain->key));
}

static int add_frame(struct chains *chains, const struct frame_key *key, uint32_t *ret)
{
	uint32_t parent = key->parent;

	if (array__reserve_numbered(&chains->frames, &chains->frames_room, chains->n_frames + 1,
		    sizeof(*chains->frames)))
		return -ENOMEM;
	*ret = chains->n_frames;
	if (numbers__add(&chains->frame_by_key, key, sizeof(*key), *ret))
		return -ENOMEM;
	chains->frames[chains->n_frames++] = (struct chain_frame){
		.parent = parent,
		.function = key->function,
		.depth = parent == SAMPLES_NONE ? 0 : chains->frames[parent].depth + 1,
	};
	return 0;
}

static int find_frame(struct chains *chains, uint32_t parent, uint32_t function, uint32_t *ret)
{
	const struct frame_key key = {parent, function};

	*ret = numbers__find(&chains->frame_by_key, &key, sizeof(key), is_frame, chains->frames);
	return *ret == NUMBERS_NONE ? add_frame(chains, &key, ret) : 0;
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
	/* A caller has a lower number than its callees. */
	for (size_t i = 0; i < n && !err; i++)
		err = take_frame(
			chains, functions, samples__frame(samples, i), callers, &chains->of[i]);
	return err;
}

void chains__free(struct chains *chains)
{
	if (!chains)
		return;
	numbers__free(&chains->frame_by_key);
	numbers__free(&chains->by_key);
	free(chains->of);
	free(chains->frames);
	free(chains->v);
	free(chains);
}

uint32_t chains__frame_of(const struct chains *chains, uint32_t frame)
{
	return chains->of[frame];
}

static int add_chain(struct chains *chains, const struct chain_key *key)
{
	if (array__reserve_numbered(&chains->v, &chains->room, chains->n + 1, sizeof(*chains->v)) ||
		numbers__add(&chains->by_key, key, sizeof(*key), chains->n))
		return -ENOMEM;
	chains->v[chains->n++] = (struct chain){.key = *key};
	return 0;
}

int chains__add(struct chains *chains, const struct chain_key *key, uint64_t n, uint64_t period,
	double latency)
{
	uint32_t number = numbers__find(&chains->by_key, key, sizeof(*key), is_chain, chains->v);

	if (number == NUMBERS_NONE) {
		number = chains->n;
		if (add_chain(chains, key))
			return -ENOMEM;
	}
	chains->v[number].n += n;
	chains->v[number].period += period;
	chains->v[number].latency += latency;
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
	return &chains->v[i];
}
