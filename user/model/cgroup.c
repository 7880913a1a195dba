// SPDX-License-Identifier: GPL-2.0-only
/*
 * cgroups: see cgroup.h. Each cgroup has a small index, so a sighting can store its set of cgroups
 * as bits, even on hosts that start containers for weeks.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/model/cgroup.h"
#include "user/base/hash.h"

struct cgroup {
	uint64_t id;
	size_t index;
	char *path;  /* or NULL */
	char *about; /* or NULL */
	size_t about_size;
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

int cgroups__set_about(struct cgroups *cgroups, uint64_t id, const char *about, size_t size)
{
	struct cgroup *cgroup = size ? get(cgroups, id) : NULL;
	char *copy;

	if (!size)
		return 0;
	copy = cgroup ? malloc(size) : NULL;
	if (!copy)
		return -ENOMEM;
	memcpy(copy, about, size);
	free(cgroup->about);
	cgroup->about = copy;
	cgroup->about_size = size;
	return 0;
}

const char *cgroups__about(const struct cgroups *cgroups, uint64_t id, size_t *ret_size)
{
	struct cgroup *cgroup;

	HASH_FIND(hh, cgroups->by_id, &id, sizeof(id), cgroup);
	*ret_size = cgroup ? cgroup->about_size : 0;
	return cgroup ? cgroup->about : NULL;
}

void cgroups__free(struct cgroups *cgroups)
{
	struct cgroup *cgroup, *next;

	HASH_ITER (hh, cgroups->by_id, cgroup, next) {
		HASH_DEL(cgroups->by_id, cgroup);
		free(cgroup->path);
		free(cgroup->about);
		free(cgroup);
	}
}
