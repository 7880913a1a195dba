// SPDX-License-Identifier: GPL-2.0-only
/* See cgroup_owner.h. A cgroup cannot move, so what was found once remains right. */
#include "user/source/containers/cgroup_owner.h"

#include <limits.h>
#include <string.h>

#include "user/base/keyed_hash.h"
#include "user/parse/container.h"

#define HOST_COMPONENTS 2

/*
 * The length of the part of @path that belongs to its owner. Users name the cgroups below their
 * own, also like those of containers.
 */
static size_t owner_length(const char *path)
{
	struct container container;
	const char *end = path;

	container__parse(&container, path);
	if (container.id[0] && strncmp(path, "/user.slice/", strlen("/user.slice/")) != 0)
		return container.inside - path;
	for (int i = 0; i < HOST_COMPONENTS && *end == '/'; i++)
		end += 1 + strcspn(end + 1, "/");
	return end - path;
}

uint32_t cgroup_owners__of(struct cgroup_owners *owners, uint64_t id)
{
	uint32_t at = keyed_hash__of(&id, sizeof(id)) % CGROUP_OWNERS, owner = 0;
	char path[PATH_MAX];

	if (!id || !owners->paths)
		return 0;
	if (owners->known[at].id == id)
		return owners->known[at].owner;
	if (cgroup_paths__find(owners->paths, id, path, sizeof(path)))
		return 0;
	if (path[1])
		owner = 1 + keyed_hash__of(path, owner_length(path)) % (CGROUP_OWNERS - 1);
	owners->known[at].id = id;
	owners->known[at].owner = owner;
	return owner;
}
