// SPDX-License-Identifier: GPL-2.0-only
/* See loss_owners.h. The last place is kept for all others. */
#include "user/record/rounds/loss_owners.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "user/source/bpf/bpf.h"
#include "user/source/containers/cgroup.h"

static struct loss_owner *find(struct loss_owners *owners, uint64_t id)
{
	for (size_t i = 0; i < owners->n; i++)
		if (owners->owners[i].id == id)
			return &owners->owners[i];
	return NULL;
}

/* The path is read while the cgroup exists: a cgroup with so many mappings may soon be removed. */
static char *find_path(const struct cgroup_paths *paths, uint64_t id)
{
	char path[PATH_MAX];

	if (!id || !paths || cgroup_paths__find(paths, id, path, sizeof(path)))
		return NULL;
	return strdup(path);
}

/* Returns the row of @id, 0 for the others; NULL if there is no room for another row. */
static struct loss_owner *row(
	struct loss_owners *owners, const struct cgroup_paths *paths, uint64_t id)
{
	struct loss_owner *owner = find(owners, id);

	if (owner || owners->n >= LOSS_OWNERS_MAX + !id)
		return owner;
	owner = &owners->owners[owners->n++];
	*owner = (struct loss_owner){.id = id, .path = find_path(paths, id)};
	return owner;
}

void loss_owners__take(
	struct loss_owners *owners, struct bpf_source *bpf, const struct cgroup_paths *paths)
{
	uint64_t losses[LOSS_OWNERS_MAX][2];
	size_t n = bpf_source__take_cgroup_losses(bpf, losses, LOSS_OWNERS_MAX);

	for (size_t i = 0; i < n; i++) {
		struct loss_owner *owner = row(owners, paths, losses[i][0]);

		if (owner)
			owner->n += losses[i][1];
	}
}

void loss_owners__add(struct loss_owners *owners, uint64_t lost)
{
	uint64_t counted = 0;
	struct loss_owner *others = find(owners, 0);

	owners->lost += lost;
	for (size_t i = 0; i < owners->n; i++)
		counted += owners->owners[i].id ? owners->owners[i].n : 0;
	/* Losses that are counted by cgroup later belong to "others" until then. */
	if (counted < owners->lost)
		others = row(owners, NULL, 0);
	if (others)
		others->n = counted < owners->lost ? owners->lost - counted : 0;
}

void loss_owners__clear(struct loss_owners *owners)
{
	for (size_t i = 0; i < owners->n; i++)
		free((void *)owners->owners[i].path);
	owners->n = 0;
	owners->lost = 0;
}

void loss_owners__free(struct loss_owners *owners)
{
	loss_owners__clear(owners);
}
