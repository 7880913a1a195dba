/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes, their mappings, DSOs and sightings, from events in time order. Live and recorded
 * streams use the same code. Pure: no I/O, no clock, no globals. Its memory follows what exists,
 * plus one entry for each sighting.
 */
#ifndef PERFSTAMP_MODEL_MODEL_H
#define PERFSTAMP_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/event/event.h"
#include "user/model/facts.h"

struct model;

/* An existing mapping of a live process. */
struct model_mapping {
	uint32_t pid;
	const char *comm;
	size_t n_threads;   /* known live threads of the process */
	uint64_t cgroup_id; /* from the newest map record of the process that has a cgroup */
	uint32_t mnt_ns;
	uint64_t addr;
	uint64_t len;   /* bytes */
	uint64_t pgoff; /* bytes */
	uint32_t prot;
	uint32_t map_flags;
	uint32_t sighting; /* index */
};

int model__new(struct model **ret);
void model__free(struct model *model);
/*
 * From now on, also counts the entries of call chains, and the words in copies of stacks that may
 * be return addresses.
 */
void model__follow_chains(struct model *model);
/*
 * Also keeps the lives of sightings. Call it before the first event. Takes up to 2 KB for each
 * sighting that appears. Returns 0 or -ENOMEM.
 */
int model__follow_lives(struct model *model);

/*
 * Applies the next event in time order. Returns 0 or -ENOMEM. A FORK with
 * PERF_RECORD_MISC_FORK_EXEC is for a process that existed before the recording: it inherits
 * nothing, and does not change a known process.
 */
int model__apply(struct model *model, const struct event *event);

/*
 * Finds the current place of @addr for process @pid in the CPU mode of @misc (PERF_RECORD_MISC_*).
 */
void model__locate(const struct model *model, uint32_t pid, uint16_t misc, uint64_t addr,
	struct model_place *ret);

const struct model_ledger *model__ledger(const struct model *model);
/* Sightings in order of appearance. The pointers are valid until the next apply. */
size_t model__n_sightings(const struct model *model);
const struct sighting *model__sighting(struct model *model, size_t i);
/* The same before the end of the stream: children that have not called exec yet do not count. */
const struct sighting *model__sighting_so_far(const struct model *model, size_t i);
/* Sets @ret to the lives of sighting @i if they are followed, or else to 0. */
void model__lives(const struct model *model, size_t i, struct sighting_lives *ret);
/*
 * Calls @fn for every mapping of every live process, processes in order of appearance. Stops at a
 * nonzero result and returns it.
 */
int model__for_each_mapping(const struct model *model,
	int (*fn)(const struct model_mapping *mapping, void *ctx), void *ctx);
/* The same for process @pid alone, in the order of addresses. */
int model__for_each_mapping_of(const struct model *model, uint32_t pid,
	int (*fn)(const struct model_mapping *mapping, void *ctx), void *ctx);
/* Finds the mapping of process @pid that contains @addr; false if there is none. */
bool model__find_mapping(
	const struct model *model, uint32_t pid, uint64_t addr, struct model_mapping *ret);
/* The lives of modules, in order of loading. */
size_t model__n_modules(const struct model *model);
const struct module_life *model__module(const struct model *model, size_t i);
/* A process that is alive. */
struct model_process {
	const char *comm;
	uint64_t cgroup_id; /* from its newest map record with a cgroup; 0: none */
	uint32_t mnt_ns;
	size_t n_threads; /* known live threads */
};
/* Returns false if @pid is not known. Valid until the next apply. */
bool model__process(const struct model *model, uint32_t pid, struct model_process *ret);
/* Returns the path from the CGROUP event of a cgroup, or NULL. */
const char *model__cgroup_path(const struct model *model, uint64_t id);
/*
 * Returns the lines of key=value that are recorded about the container of a cgroup
 * (docs/format.md), or NULL. They are not terminated; *@ret_size is set to their length in bytes.
 */
const char *model__cgroup_about(const struct model *model, uint64_t id, size_t *ret_size);

#endif
