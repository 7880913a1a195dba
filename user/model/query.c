// SPDX-License-Identifier: GPL-2.0-only
/*
 * Queries of a model: its current sightings, processes, mappings, modules and cgroups. See model.h.
 * A query settles the counts of inherited mappings.
 */
#include <string.h>

#include "user/model/model.h"
#include "user/model/private.h"

const struct model_ledger *model__ledger(const struct model *model)
{
	return &model->ledger;
}

size_t model__n_sightings(const struct model *model)
{
	return model->sightings.n;
}

const struct sighting *model__sighting(struct model *model, size_t i)
{
	struct sighting *sighting;

	/* At the end of a stream, these are the children that still run. */
	/* If there is no memory, the counts are too low. */
	processes__settle_all(&model->processes);
	sighting = sightings__at(&model->sightings, i);
	if (sighting->alive)
		sighting->last_ns = model->now_ns;
	return sighting;
}

const struct sighting *model__sighting_so_far(const struct model *model, size_t i)
{
	return sightings__at(&model->sightings, i);
}

void model__lives(const struct model *model, size_t i, struct sighting_lives *ret)
{
	memset(ret, 0, sizeof(*ret));
	if (model->sightings.lives)
		lives__get(model->sightings.lives, (uint32_t)i, ret);
}

bool model__process(const struct model *model, uint32_t pid, struct model_process *ret)
{
	const struct process *process = processes__find(&model->processes, pid);

	if (process)
		*ret = (struct model_process){process->comm, process->cgroup_id, process->mnt_ns,
			process_life__n_threads(&process->life)};
	return process;
}

static struct model_mapping mapping_of(const struct process *process, const struct mapping *mapping)
{
	return (struct model_mapping){
		.pid = process->life.pid,
		.comm = process->comm,
		.n_threads = process_life__n_threads(&process->life),
		.cgroup_id = process->cgroup_id,
		.mnt_ns = process->mnt_ns,
		.addr = mapping->start,
		.len = mapping->end - mapping->start,
		.pgoff = mapping->pgoff,
		.prot = mapping->prot,
		.map_flags = mapping->map_flags,
		.sighting = mapping->sighting,
	};
}

bool model__find_mapping(
	const struct model *model, uint32_t pid, uint64_t addr, struct model_mapping *ret)
{
	const struct process *process = processes__find(&model->processes, pid);
	const struct mapping *mapping = process ? maps__find(process->maps, addr) : NULL;

	if (mapping)
		*ret = mapping_of(process, mapping);
	return mapping;
}

int model__for_each_mapping_of(const struct model *model, uint32_t pid,
	int (*fn)(const struct model_mapping *mapping, void *ctx), void *ctx)
{
	const struct process *process = processes__find(&model->processes, pid);
	int err = 0;

	for (size_t i = 0; process && process->maps && i < process->maps->n && !err; i++) {
		struct model_mapping mapping = mapping_of(process, &process->maps->v[i]);

		err = fn(&mapping, ctx);
	}
	return err;
}

int model__for_each_mapping(const struct model *model,
	int (*fn)(const struct model_mapping *mapping, void *ctx), void *ctx)
{
	const struct process *process;
	int err = 0;

	for (process = model->processes.by_pid; process && !err; process = process->hh.next)
		err = model__for_each_mapping_of(model, process->life.pid, fn, ctx);
	return err;
}

size_t model__n_modules(const struct model *model)
{
	return model->modules.n;
}

const struct module_life *model__module(const struct model *model, size_t i)
{
	return module_lives__at(&model->modules, i);
}

const char *model__cgroup_path(const struct model *model, uint64_t id)
{
	return cgroups__path(&model->cgroups, id);
}

const char *model__cgroup_about(const struct model *model, uint64_t id, size_t *ret_size)
{
	return cgroups__about(&model->cgroups, id, ret_size);
}
