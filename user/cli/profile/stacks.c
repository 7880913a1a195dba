// SPDX-License-Identifier: GPL-2.0-only
/* See stacks.h. If the mappings of a process change, they are collected again. */
#include "user/cli/profile/stacks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/cli/profile/resolve.h"
#include "user/event/code.h"
#include "user/base/hash.h"

struct process_maps {
	UT_hash_handle hh;
	uint32_t pid;
	struct unwind_mapping *v;
	size_t n;
	size_t room;
};

struct sample_stacks {
	const struct input *whole;
	struct perfstamp_identity *identities; /* by sighting */
	struct symbols_dso *dsos;
	size_t n;
	struct unwind *unwind;
	struct process_maps *by_pid;
	struct unwind_chain chain;
	struct unwinding unwinding;
	struct error error;
};

/* The mappings of one process. */
struct gathering {
	struct sample_stacks *stacks;
	const struct model *model;
	struct process_maps *to;
};

int sample_stacks__new(struct sample_stacks **ret, const struct input *whole,
	const struct symbols_options *options, const struct code_names *code_names)
{
	struct sample_stacks *stacks = calloc(1, sizeof(*stacks));

	*ret = stacks;
	if (!stacks)
		return -ENOMEM;
	stacks->whole = whole;
	stacks->n = model__n_sightings(whole->model);
	stacks->dsos = calloc(stacks->n + 1, sizeof(*stacks->dsos));
	if (!stacks->dsos || place_names__identities(&stacks->identities, whole))
		return -ENOMEM;
	for (size_t i = 0; i < stacks->n; i++) {
		const struct sighting *sighting = model__sighting(whole->model, i);

		stacks->dsos[i] = (struct symbols_dso){
			.path = sighting->path,
			.identity = &stacks->identities[i],
			.text = MODEL_TEXT_USER,
			.shared = sighting->n_contents > 1,
		};
	}
	return unwind__new(&stacks->unwind, options, stacks->dsos, stacks->n, code_names);
}

static void forget(struct sample_stacks *stacks, struct process_maps *maps)
{
	HASH_DEL(stacks->by_pid, maps);
	free(maps->v);
	free(maps);
}

void sample_stacks__free(struct sample_stacks *stacks)
{
	if (!stacks)
		return;
	while (stacks->by_pid)
		forget(stacks, stacks->by_pid);
	unwind__free(stacks->unwind);
	free(stacks->dsos);
	free(stacks->identities);
	free(stacks);
}

static bool changes_mappings(const struct event *event)
{
	switch (event->kind) {
	case EVENT_MAP:
		return !event->map.kernel;
	case EVENT_COMM:
		return event->comm.exec;
	case EVENT_FORK:
	case EVENT_EXIT:
		return event->pid == event->tid; /* threads share the mappings of their process */
	default:
		return false;
	}
}

void sample_stacks__follow(struct sample_stacks *stacks, const struct event *event)
{
	struct process_maps *maps;

	if (!changes_mappings(event))
		return;
	HASH_FIND(hh, stacks->by_pid, &event->pid, sizeof(event->pid), maps);
	if (maps)
		forget(stacks, maps);
}

/*
 * Returns the number of a DSO. In the second reading, it is the same as in the first one if the
 * file is the same.
 */
static uint64_t dso_of(const struct gathering *gathering, uint32_t index)
{
	const struct sighting *now = model__sighting_so_far(gathering->model, index), *then;

	if (event_code__is_memory(now->path))
		return UNWIND_MEMORY;
	if (index >= gathering->stacks->n || !place_names__has_content(now))
		return UNWIND_NO_DSO;
	then = model__sighting_so_far(gathering->stacks->whole->model, index);
	return strcmp(now->path, then->path) ||
			       memcmp(&now->identity, &then->identity, sizeof(now->identity))
		       ? UNWIND_NO_DSO
		       : index;
}

static int gather(const struct model_mapping *mapping, void *ctx)
{
	struct gathering *gathering = ctx;
	struct process_maps *to = gathering->to;

	if (array__reserve(&to->v, &to->room, to->n + 1, sizeof(*to->v)))
		return -ENOMEM;
	to->v[to->n++] = (struct unwind_mapping){
		.addr = mapping->addr,
		.len = mapping->len,
		.pgoff = mapping->pgoff,
		.dso = dso_of(gathering, mapping->sighting),
	};
	return 0;
}

static const struct process_maps *maps_of(
	struct sample_stacks *stacks, const struct model *model, uint32_t pid)
{
	struct gathering gathering = {.stacks = stacks, .model = model};
	struct process_maps *maps;

	HASH_FIND(hh, stacks->by_pid, &pid, sizeof(pid), maps);
	if (maps)
		return maps;
	maps = calloc(1, sizeof(*maps));
	if (!maps)
		return NULL;
	maps->pid = pid;
	gathering.to = maps;
	if (!model__for_each_mapping_of(model, pid, gather, &gathering)) {
		HASH_ADD(hh, stacks->by_pid, pid, sizeof(maps->pid), maps);
		if (hash__added(maps))
			return maps;
	}
	free(maps->v);
	free(maps);
	return NULL;
}

/* Whether the chain already contains callers in user space. */
static bool has_user_callers(const struct event_sample *sample)
{
	bool user = false;

	for (uint64_t i = 0; i < sample->n_callchain; i++) {
		uint64_t addr = sample->callchain[i];

		if (addr >= PERF_CONTEXT_MAX)
			user = addr == PERF_CONTEXT_USER;
		else if (user && addr != sample->ip)
			return true;
	}
	return false;
}

int sample_stacks__unwind(struct sample_stacks *stacks, const struct model *model,
	const struct event *event, const uint64_t **ret, size_t *ret_n)
{
	bool user = (event->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER;
	const struct unwind_sample sample = {event->pid, event->time_ns, &event->sample.user};
	struct unwind_chain *chain = &stacks->chain;
	const struct process_maps *maps;
	size_t own;
	int err;

	*ret_n = 0;
	*ret = chain->frames;
	if (has_user_callers(&event->sample))
		return 0;
	maps = maps_of(stacks, model, event->pid);
	if (!maps)
		return error__set(&stacks->error, -ENOMEM, "out of memory");
	err = unwind__sample(stacks->unwind, maps->v, maps->n, &sample, chain, &stacks->error);
	if (err)
		return err;
	stacks->unwinding.samples[chain->end]++;
	/* For a sample in user space, the first entry is its own address. */
	own = user && chain->n;
	*ret = chain->frames + own;
	*ret_n = chain->n - own;
	return 0;
}

const struct error *sample_stacks__error(const struct sample_stacks *stacks)
{
	return &stacks->error;
}

const struct unwinding *sample_stacks__unwinding(const struct sample_stacks *stacks)
{
	return &stacks->unwinding;
}

const struct unwind_outcome *sample_stacks__outcome(const struct sample_stacks *stacks)
{
	return unwind__outcome(stacks->unwind);
}
