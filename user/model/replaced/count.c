// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts the replaced builds (replaced.h) that the model's mappings contain, and the processes that
 * map them, each once. Keeps nothing.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/hash.h"
#include "user/model/replaced/replaced.h"

/* A build that is replaced in a mount namespace. */
struct old_build {
	uint64_t key; /* see key_of */
	UT_hash_handle hh;
};

struct counting {
	struct replaced_counts *counts;
	struct old_build *builds;
	uint32_t newest_pid;
};

static uint64_t key_of(uint32_t mnt_ns, uint32_t sighting)
{
	return (uint64_t)mnt_ns << 32 | sighting;
}

static int count_build(void *ctx, const struct replacement *replacement)
{
	struct counting *counting = ctx;
	struct old_build *build = calloc(1, sizeof(*build));

	if (!build)
		return -ENOMEM;
	build->key = key_of(replacement->mnt_ns, replacement->old);
	HASH_ADD(hh, counting->builds, key, sizeof(build->key), build);
	if (!hash__added(build)) {
		free(build);
		return -ENOMEM;
	}
	counting->counts->dsos[replacement->kind]++;
	return 0;
}

static int count_process(const struct model_mapping *mapping, void *ctx)
{
	uint64_t key = key_of(mapping->mnt_ns, mapping->sighting);
	struct counting *counting = ctx;
	struct old_build *build;

	/* The mappings of a process follow one another. */
	if (counting->counts->processes && counting->newest_pid == mapping->pid)
		return 0;
	HASH_FIND(hh, counting->builds, &key, sizeof(key), build);
	if (!build)
		return 0;
	counting->newest_pid = mapping->pid;
	counting->counts->processes++;
	return 0;
}

int replaced__count(
	struct replaced *replaced, const struct model *model, struct replaced_counts *ret)
{
	struct counting counting = {.counts = ret};
	int err;

	memset(ret, 0, sizeof(*ret));
	err = replaced__for_each(replaced, count_build, &counting);
	if (!err && counting.builds)
		err = model__for_each_mapping(model, count_process, &counting);
	hash__free(counting.builds);
	return err;
}
