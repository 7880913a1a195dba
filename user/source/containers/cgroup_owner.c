// SPDX-License-Identifier: GPL-2.0-only
/* See cgroup_owner.h. A cgroup cannot be moved, so a result stays valid. */
#include "user/source/containers/cgroup_owner.h"

#include <limits.h>
#include <string.h>

#include "user/base/keyed_hash.h"
#include "user/parse/container.h"

#define HOST_COMPONENTS 2

/*
 * Length of the first part of @path that belongs to a user other than root; 0 if all of it
 * belongs to root.
 */
static size_t delegated_length(const struct cgroup_paths *paths, const char *path)
{
	char part[PATH_MAX];

	for (const char *end = path; *end == '/';) {
		end += 1 + strcspn(end + 1, "/");
		memcpy(part, path, end - path);
		part[end - path] = '\0';
		if (cgroup_paths__is_delegated(paths, part))
			return end - path;
	}
	return 0;
}

/*
 * Returns the length of the part of @path that belongs to its owner. Users can give any name to
 * cgroups below their own, including names like those of containers. A service to which its cgroup
 * is delegated can do the same.
 */
static size_t owner_length(const struct cgroup_paths *paths, const char *path)
{
	size_t delegated = delegated_length(paths, path);
	struct container container;
	const char *end = path;

	container__parse(&container, path);
	if (container.id[0] && strncmp(path, "/user.slice/", strlen("/user.slice/")) != 0) {
		size_t length = container.inside - path;

		return delegated && delegated < length ? delegated : length;
	}
	for (int i = 0; i < HOST_COMPONENTS && *end == '/'; i++)
		end += 1 + strcspn(end + 1, "/");
	return end - path;
}

/* FNV-1a suffices: root or a runtime chooses the path of an owner, not the user who runs in it. */
static uint64_t name_of(const char *path, size_t length)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (uint8_t)path[i]) * 0x100000001b3;
	return hash;
}

struct cgroup_owner cgroup_owners__find(struct cgroup_owners *owners, uint64_t id)
{
	uint32_t at = keyed_hash__of(&id, sizeof(id)) % CGROUP_OWNERS;
	struct cgroup_owner owner = {0};
	char path[PATH_MAX];

	if (!id || !owners->paths)
		return owner;
	if (owners->known[at].id == id)
		return owners->known[at].owner;
	if (cgroup_paths__find(owners->paths, id, path, sizeof(path)))
		return owner;
	if (path[1]) {
		size_t length = owner_length(owners->paths, path);

		owner.number = 1 + keyed_hash__of(path, length) % (CGROUP_OWNERS - 1);
		owner.name = name_of(path, length);
	}
	owners->known[at].id = id;
	owners->known[at].owner = owner;
	return owner;
}
