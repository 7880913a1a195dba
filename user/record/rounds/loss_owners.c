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

/* While the cgroup is there: what made so much may soon be gone. */
static char *find_path(const struct cgroup_paths *paths, uint64_t id)
{
	char path[PATH_MAX];

	if (!id || !paths || cgroup_paths__find(paths, id, path, sizeof(path)))
		return NULL;
	return strdup(path);
}

static void add(
	struct loss_owners *owners, const struct cgroup_paths *paths, uint64_t id, uint64_t n)
{
	struct loss_owner *owner = find(owners, id);

	if (!owner && id && owners->n >= LOSS_OWNERS_MAX) {
		id = 0;
		owner = find(owners, id);
	}
	if (!owner) {
		owner = &owners->owners[owners->n++];
		*owner = (struct loss_owner){.id = id, .path = find_path(paths, id)};
	}
	owner->n += n;
}

void loss_owners__add(struct loss_owners *owners, struct bpf_source *bpf,
	const struct cgroup_paths *paths, uint64_t lost)
{
	struct bpf_cgroup_loss losses[LOSS_OWNERS_MAX];
	size_t n = bpf_source__take_cgroup_losses(bpf, losses, LOSS_OWNERS_MAX);

	for (size_t i = 0; i < n && lost; i++) {
		/* Some of it was counted after the sum was taken. */
		if (losses[i].n > lost)
			losses[i].n = lost;
		add(owners, paths, losses[i].id, losses[i].n);
		lost -= losses[i].n;
	}
	if (lost)
		add(owners, paths, 0, lost);
}

void loss_owners__clear(struct loss_owners *owners)
{
	for (size_t i = 0; i < owners->n; i++)
		free((void *)owners->owners[i].path);
	owners->n = 0;
}

void loss_owners__free(struct loss_owners *owners)
{
	loss_owners__clear(owners);
}
