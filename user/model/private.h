/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tables of a model, for the files that change them (model.c, map_apply.c, sample_apply.c) and
 * that read them (query.c). No other file includes this.
 */
#ifndef PERFSTAMP_MODEL_PRIVATE_H
#define PERFSTAMP_MODEL_PRIVATE_H

#include "user/model/cgroup.h"
#include "user/model/facts.h"
#include "user/model/kernel.h"
#include "user/model/modules.h"
#include "user/model/tables/pidset.h"
#include "user/model/process.h"

struct model {
	struct model_ledger ledger;
	struct sightings sightings;
	struct processes processes;
	struct kernel_text kernel;
	struct module_lives modules;
	struct cgroups cgroups;
	struct cgroups mnt_namespaces; /* the same for mount namespaces, without paths */
	struct pidset pids;
	uint64_t now_ns;     /* time of the newest event */
	uint64_t checked_ns; /* time of the newest check after a loss */
	bool follows_chains;
};

/* Apply an event of one kind. Return 0 or -ENOMEM. */
int model__apply_map(struct model *model, const struct event *event);
int model__apply_module(struct model *model, const struct event *event);
int model__apply_sample(struct model *model, const struct event *event);

#endif
