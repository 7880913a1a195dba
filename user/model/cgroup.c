// SPDX-License-Identifier: GPL-2.0-only
/*
 * cgroups: see cgroup.h. The index is what lets each sighting keep its set of
 * cgroups as bits, on hosts that start containers for weeks.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/model/cgroup.h"
#include "user/model/hash.h"

struct cgroup {
	uint64_t id;
	size_t index;
	char *path; /* or NULL */
	UT_hash_handle hh;
};

static struct cgroup *get(struct cgroups *cgroups, uint64_t id)
{
	struct cgroup *cgroup;

	HASH_FIND(hh, cgroups->by_id, &id, sizeof(id), cgroup);
	if (cgroup)
		return cgroup;
	cgroup = calloc(1, sizeof(*cgroup));
	if (!cgroup)
		return NULL;
	cgroup->id = id;
	cgroup->index = HASH_COUNT(cgroups->by_id);
	HASH_ADD(hh, cgroups->by_id, id, sizeof(id), cgroup);
	if (hash__added(cgroup))
		return cgroup;
	free(cgroup);
	return NULL;
}

int cgroups__index(struct cgroups *cgroups, uint64_t id, size_t *ret)
{
	struct cgroup *cgroup = get(cgroups, id);

	if (!cgroup)
		return -ENOMEM;
	*ret = cgroup->index;
	return 0;
}

int cgroups__set_path(struct cgroups *cgroups, uint64_t id, const char *path)
{
	struct cgroup *cgroup = get(cgroups, id);
	char *copy;

	if (!cgroup)
		return -ENOMEM;
	if (cgroup->path && !strcmp(cgroup->path, path))
		return 0;
	copy = strdup(path);
	if (!copy)
		return -ENOMEM;
	free(cgroup->path);
	cgroup->path = copy;
	return 0;
}

const char *cgroups__path(const struct cgroups *cgroups, uint64_t id)
{
	struct cgroup *cgroup;

	HASH_FIND(hh, cgroups->by_id, &id, sizeof(id), cgroup);
	return cgroup ? cgroup->path : NULL;
}

void cgroups__free(struct cgroups *cgroups)
{
	struct cgroup *cgroup, *next;

	HASH_ITER (hh, cgroups->by_id, cgroup, next) {
		HASH_DEL(cgroups->by_id, cgroup);
		free(cgroup->path);
		free(cgroup);
	}
}
