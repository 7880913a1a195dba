/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The containers in a model, found by the paths of cgroups, with their recorded names, as text and
 * JSON. Does not know sightings.
 */
#ifndef PERFSTAMP_VIEW_CONTAINERS_H
#define PERFSTAMP_VIEW_CONTAINERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/model/model.h"
#include "user/parse/container.h"

struct json_object;
struct containers;

/* One container. Unknown fields are empty. The names have been escaped by base/text. */
struct container_facts {
	struct container is;
	char name[CONTAINER_TEXT_MAX];
	char image[2 * CONTAINER_TEXT_MAX];
	char pod[CONTAINER_TEXT_MAX]; /* names of Kubernetes */
	char namespace[CONTAINER_TEXT_MAX];
	size_t mark; /* for the caller's use; 0 at first */
};

int containers__new(struct containers **ret, const struct model *model); /* Returns 0 or -ENOMEM */
void containers__free(struct containers *containers);
/*
 * *@ret is the container of cgroup @id. It is the same for all cgroups of a container, and valid as
 * long as @containers. NULL if the cgroup is not a container's, or has no known path. Returns 0 or
 * -ENOMEM.
 */
int containers__find(struct containers *containers, uint64_t id, struct container_facts **ret);

/*
 * Fills @facts from a cgroup's path, and from the lines described in docs/format.md, which may be
 * NULL.
 */
void container_facts__read(
	struct container_facts *ret, const char *path, const char *about, size_t about_size);
/*
 * Writes "RUNTIME:NAME", with 12 digits of the id if there is no name; for Kubernetes
 * "RUNTIME:NAMESPACE/POD/NAME". It is cut to @size including its NUL. The caller has to escape it.
 */
void container_facts__label(const struct container_facts *facts, char *ret, size_t size);
/* Whether the shell pattern @glob matches its label, id, name, pod's name or uid, or image. */
bool container_facts__matches(const struct container_facts *facts, const char *glob);
/* Returns an object with the keys of perfstamp-list(1), or NULL if memory is exhausted. */
struct json_object *container_facts__json(const struct container_facts *facts);

#endif
