/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A home is the container of a sampled process, or its systemd unit on the host, found by its
 * cgroup. Each home has a number.
 */
#ifndef PERFSTAMP_VIEW_EXPORT_HOMES_H
#define PERFSTAMP_VIEW_EXPORT_HOMES_H

#include <stddef.h>
#include <stdint.h>

#include "user/model/model.h"
#include "user/view/containers.h"

struct homes;

struct home {
	size_t number;
	const struct container_facts *container; /* NULL: the host */
	char unit[CONTAINER_TEXT_MAX];           /* not escaped; "": not known */
};

/* Returns 0 or -ENOMEM. */
int homes__new(struct homes **ret, const struct model *model, struct containers *containers);
void homes__free(struct homes *homes);
/* Finds the home of a cgroup, which is valid as long as @homes. Returns 0 or -ENOMEM. */
int homes__find(struct homes *homes, uint64_t cgroup, const struct home **ret);
size_t homes__n(const struct homes *homes);
const struct home *homes__at(const struct homes *homes, size_t number);

#endif
