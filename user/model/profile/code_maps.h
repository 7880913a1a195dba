/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The mappings that make a reader without support for code names (perf) show the same
 * names: it keeps for each process what was mapped last at an address, and a child has the
 * mappings of its parent. So before a sample in a function that has a name, the function is
 * mapped, unless it still is; and before a sample where a function was and none is now,
 * memory is. Pure.
 */
#ifndef PERFSTAMP_MODEL_CODE_MAPS_H
#define PERFSTAMP_MODEL_CODE_MAPS_H

#include "user/model/profile/code_names.h"

struct code_map {
	uint64_t time_ns;
	uint32_t pid;
	uint64_t addr;
	uint64_t size;
	uint32_t number; /* of the entry in code_names; CODE_NAMES_NONE: memory */
};

struct code_maps;

/*
 * @names are sealed, and outlive it. With @later a name counts for samples before it was
 * written, too, where nothing else is known. Returns 0 or -ENOMEM.
 */
int code_maps__new(struct code_maps **ret, const struct code_names *names, bool later);
void code_maps__free(struct code_maps *maps);
/*
 * All events, in time order. Before a sample with a copy of its stack all functions are
 * mapped: which ones are its callers shows when it is unwound. Returns 0 or -ENOMEM.
 */
int code_maps__follow(struct code_maps *maps, const struct event *event);
/* Whether a sample had a copy of its stack. */
bool code_maps__saw_stacks(const struct code_maps *maps);
/* What is to be mapped beside what the recording has, in time order; valid until the next call. */
const struct code_map *code_maps__all(const struct code_maps *maps, size_t *ret_n);

#endif
