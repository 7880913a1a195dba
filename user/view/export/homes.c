// SPDX-License-Identifier: GPL-2.0-only
/* See homes.h. */
#include "user/view/export/homes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/base/hash.h"

struct known_cgroup {
	uint64_t id;
	struct home *home;
	UT_hash_handle hh;
};

struct known_home {
	struct home is; /* the first member, so that both have one address */
	struct {
		const struct container_facts *container;
		char unit[CONTAINER_TEXT_MAX]; /* filled up with zeros */
	} key;
	UT_hash_handle hh;
};

struct homes {
	const struct model *model;
	struct containers *containers;
	struct known_cgroup *by_cgroup;
	struct known_home *by_home;
	struct home **v;
	size_t n;
};

int homes__new(struct homes **ret, const struct model *model, struct containers *containers)
{
	*ret = calloc(1, sizeof(**ret));
	if (!*ret)
		return -ENOMEM;
	(*ret)->model = model;
	(*ret)->containers = containers;
	return 0;
}

void homes__free(struct homes *homes)
{
	if (!homes)
		return;
	hash__free(homes->by_cgroup);
	HASH_CLEAR(hh, homes->by_home);
	for (size_t i = 0; i < homes->n; i++)
		free(homes->v[i]);
	free(homes->v);
	free(homes);
}

/* Finds the home that equals @home, or adds it. */
static struct home *intern(struct homes *homes, const struct home *home)
{
	struct known_home *known, *found;

	known = calloc(1, sizeof(*known));
	if (!known)
		return NULL;
	known->is = *home;
	known->is.number = homes->n;
	known->key.container = home->container;
	snprintf(known->key.unit, sizeof(known->key.unit), "%s", home->unit);
	HASH_FIND(hh, homes->by_home, &known->key, sizeof(known->key), found);
	if (found) {
		free(known);
		return &found->is;
	}
	if (!array__extend(&homes->v, homes->n, sizeof(*homes->v))) {
		HASH_ADD(hh, homes->by_home, key, sizeof(known->key), known);
		if (hash__added(known)) {
			homes->v[homes->n++] = &known->is;
			return &known->is;
		}
	}
	free(known);
	return NULL;
}

static struct known_cgroup *add(struct homes *homes, uint64_t id)
{
	const char *path = model__cgroup_path(homes->model, id);
	struct container_facts *facts = NULL;
	struct known_cgroup *cgroup;
	struct home home = {0};
	struct container is;

	if (path) {
		container__parse(&is, path);
		snprintf(home.unit, sizeof(home.unit), "%s", is.unit);
	}
	if (containers__find(homes->containers, id, &facts))
		return NULL;
	home.container = facts;
	cgroup = calloc(1, sizeof(*cgroup));
	if (!cgroup)
		return NULL;
	cgroup->id = id;
	cgroup->home = intern(homes, &home);
	if (cgroup->home) {
		HASH_ADD(hh, homes->by_cgroup, id, sizeof(cgroup->id), cgroup);
		if (hash__added(cgroup))
			return cgroup;
	}
	free(cgroup);
	return NULL;
}

int homes__find(struct homes *homes, uint64_t cgroup, const struct home **ret)
{
	struct known_cgroup *known;

	HASH_FIND(hh, homes->by_cgroup, &cgroup, sizeof(cgroup), known);
	if (!known)
		known = add(homes, cgroup);
	*ret = known ? known->home : NULL;
	return known ? 0 : -ENOMEM;
}

size_t homes__n(const struct homes *homes)
{
	return homes->n;
}

const struct home *homes__at(const struct homes *homes, size_t number)
{
	return homes->v[number];
}
