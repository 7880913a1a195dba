// SPDX-License-Identifier: GPL-2.0-only
/*
 * model: see model.h. Passes each event to the tables that it changes: mappings in map_apply.c,
 * samples in sample_apply.c. Owns no table itself.
 */
#include <errno.h>
#include <stdlib.h>

#include "user/model/model.h"
#include "user/model/place.h"
#include "user/model/private.h"

int model__new(struct model **ret)
{
	struct model *model = calloc(1, sizeof(*model));

	if (!model)
		return -ENOMEM;
	sightings__init(&model->sightings);
	model->processes.sightings = &model->sightings;
	*ret = model;
	return 0;
}

void model__follow_chains(struct model *model)
{
	model->follows_chains = true;
}

int model__follow_lives(struct model *model)
{
	return model->sightings.lives ? 0 : lives__new(&model->sightings.lives);
}

void model__free(struct model *model)
{
	if (!model)
		return;
	processes__free(&model->processes);
	kernel_text__free(&model->kernel, &model->sightings);
	module_lives__free(&model->modules);
	sightings__free(&model->sightings);
	cgroups__free(&model->cgroups);
	cgroups__free(&model->mnt_namespaces);
	pidset__free(&model->pids);
	free(model);
}

static int apply_cgroup(struct model *model, const struct event_cgroup *cgroup)
{
	int err = cgroups__set_path(&model->cgroups, cgroup->id, cgroup->path);

	return err ? err
		   : cgroups__set_about(
			     &model->cgroups, cgroup->id, cgroup->about, cgroup->about_size);
}

/* The map records of perf have no namespace, but this record has it. */
static int apply_namespaces(struct model *model, const struct event *event)
{
	const struct event_namespaces *namespaces = &event->namespaces;
	struct process *process;

	process = processes__get(&model->processes, event->pid, event->tid);
	if (!process || process_life__see(&process->life, event->tid, event__time(event)))
		return -ENOMEM;
	if (namespaces->n <= MNT_NS_INDEX || event->tid != event->pid)
		return 0;
	process->mnt_ns = namespaces->links[MNT_NS_INDEX].ino;
	return 0;
}

static int count_process(struct model *model, const struct event *event)
{
	int err = pidset__add(&model->pids, event->pid);

	model->ledger.n_processes = model->pids.n;
	return err;
}

/*
 * Applies a check after a loss to all threads. Those that still exist have a record since the
 * previous check.
 */
static int apply_check(struct model *model, const struct event *event)
{
	if (event__time(event) < model->now_ns || event->check.since_ns <= model->checked_ns)
		return 0;
	model->checked_ns = model->now_ns;
	return processes__check(&model->processes, event->check.since_ns, model->now_ns);
}

static int apply(struct model *model, const struct event *event)
{
	switch (event->kind) {
	case EVENT_MAP:
		return model__apply_map(model, event);
	case EVENT_COMM:
		return processes__comm(&model->processes, event, model->now_ns);
	case EVENT_FORK:
		return processes__fork(&model->processes, event, model->now_ns);
	case EVENT_EXIT:
		return processes__exit(&model->processes, event, model->now_ns);
	case EVENT_CHECK:
		return apply_check(model, event);
	case EVENT_SAMPLE:
		return model__apply_sample(model, event);
	case EVENT_CGROUP:
		return apply_cgroup(model, &event->cgroup);
	case EVENT_NAMESPACES:
		return apply_namespaces(model, event);
	case EVENT_KSYMBOL:
		return kernel_text__symbol(&model->kernel, &event->ksymbol, &model->sightings,
			event__time(event), model->now_ns);
	case EVENT_MODULE:
		return model__apply_module(model, event);
	case EVENT_LOST:
		if (event->type == PERF_RECORD_LOST_SAMPLES)
			model->ledger.lost_samples += event->lost.lost;
		else
			model->ledger.lost_records += event->lost.lost;
		return 0;
	default:
		return 0;
	}
}

int model__apply(struct model *model, const struct event *event)
{
	bool of_process = event->kind == EVENT_MAP || event->kind == EVENT_COMM ||
			  event->kind == EVENT_FORK || event->kind == EVENT_SAMPLE;
	int err;

	model->ledger.events++;
	if (event__time(event) > model->now_ns)
		model->now_ns = event__time(event);
	if (of_process) {
		err = count_process(model, event);
		if (err)
			return err;
	}
	model->sightings.now_ns = event->time_ns ? model->now_ns : 0;
	err = apply(model, event);
	return err || !model->sightings.lives ? err : lives__error(model->sightings.lives);
}

void model__locate(const struct model *model, uint32_t pid, uint16_t misc, uint64_t addr,
	struct model_place *ret)
{
	place__find(ret, &model->processes, &model->kernel, pid, misc, addr);
}
