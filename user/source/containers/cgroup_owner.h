/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a cgroup belongs to when something is divided: the outermost container; else the two
 * first components of the path (system.slice/NAME.service, user.slice/user-UID.slice). A
 * container that makes cgroups below its own remains one owner, and so do a user and a service
 * that runs as one, whatever they name the cgroups below their own.
 */
#ifndef PERFSTAMP_SOURCE_CGROUP_OWNER_H
#define PERFSTAMP_SOURCE_CGROUP_OWNER_H

#include <stdint.h>

#include "user/helper/fair.h"
#include "user/source/containers/cgroup.h"

/* Owners are numbers below this one. Two that have the same number share. */
#define CGROUP_OWNERS FAIR_OWNERS

struct cgroup_owners {
	const struct cgroup_paths
		*paths; /* NULL where cgroup2 is not mounted: all have one owner */
	struct {
		uint64_t id;
		uint32_t owner;
	} known[CGROUP_OWNERS];
};

/* The owner of the cgroup @id; 0 if it is not known, or is the root. */
uint32_t cgroup_owners__of(struct cgroup_owners *owners, uint64_t id);

#endif
