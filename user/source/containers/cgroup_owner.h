/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the owner of a cgroup, for dividing something among owners. The owner is the outermost
 * container, or otherwise the first two components of the path (system.slice/NAME.service,
 * user.slice/user-UID.slice). A container, a user or a service remains one owner, whatever cgroups
 * it creates below its own cgroup.
 */
#ifndef PERFSTAMP_SOURCE_CGROUP_OWNER_H
#define PERFSTAMP_SOURCE_CGROUP_OWNER_H

#include <stdint.h>

#include "user/helper/fair.h"
#include "user/source/containers/cgroup.h"

/* Owners are numbers below this one. Owners with the same number share what is divided. */
#define CGROUP_OWNERS FAIR_OWNERS

struct cgroup_owner {
	uint32_t number; /* 0 if the owner is not known, or is the root */
	uint64_t name;   /* the same in each recording; 0 as for .number */
};

struct cgroup_owners {
	const struct cgroup_paths
		*paths; /* NULL if cgroup2 is not mounted: all cgroups then have one owner */
	struct {
		uint64_t id;
		struct cgroup_owner owner;
	} known[CGROUP_OWNERS];
};

/* The owner of the cgroup @id. */
struct cgroup_owner cgroup_owners__find(struct cgroup_owners *owners, uint64_t id);

#endif
