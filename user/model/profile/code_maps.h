/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the mappings that make a reader without support for code names (perf) show the same names.
 * For each process, such a reader keeps the last mapping at an address, and a child has the
 * mappings of its parent. So before a sample in a function with a name, a mapping of this function
 * is added, unless there already is one. Before a sample at an address where a function was before,
 * but none is now, a mapping of memory is added. Only computes.
 */
#ifndef PERFSTAMP_MODEL_CODE_MAPS_H
#define PERFSTAMP_MODEL_CODE_MAPS_H

#include "user/model/profile/code_names.h"

struct code_map {
	uint64_t time_ns;
	uint32_t pid;
	uint64_t addr;
	uint64_t size;
	uint32_t number; /* number of the entry in code_names; CODE_NAMES_NONE: memory */
};

struct code_maps;

/*
 * @names have to be sealed, and outlive *@ret. With @later, a name that was written after a sample
 * also counts for it, if nothing else is known. Returns 0 or -ENOMEM.
 */
int code_maps__new(struct code_maps **ret, const struct code_names *names, bool later);
void code_maps__free(struct code_maps *maps);
/*
 * Applies all events in time order. Before a sample with a copy of its stack, all functions are
 * mapped, because only unwinding shows which of them are its callers. Returns 0 or -ENOMEM.
 */
int code_maps__follow(struct code_maps *maps, const struct event *event);
/* Whether any sample had a copy of its stack. */
bool code_maps__saw_stacks(const struct code_maps *maps);
/*
 * Returns the mappings to add to those of the recording, in time order. Valid until the next call.
 */
const struct code_map *code_maps__all(const struct code_maps *maps, size_t *ret_n);

#endif
