/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The containers of a model's cgroups, by the cgroup's path, with the recorded names, as
 * text and JSON. Does not know any sighting.
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

/* One container; unknown fields are empty. The names are escaped, as by base/text. */
struct container_facts {
	struct container is;
	char name[CONTAINER_TEXT_MAX];
	char image[2 * CONTAINER_TEXT_MAX];
	char pod[CONTAINER_TEXT_MAX]; /* Kubernetes' names */
	char namespace[CONTAINER_TEXT_MAX];
	size_t mark; /* the caller's, 0 at first */
};

int containers__new(struct containers **ret, const struct model *model); /* Returns 0 or -ENOMEM */
void containers__free(struct containers *containers);
/*
 * *@ret is the container of cgroup @id, the same for all its cgroups, valid as long as
 * @containers; NULL if it is not a container, or has no known path. Returns 0 or -ENOMEM.
 */
int containers__find(struct containers *containers, uint64_t id, struct container_facts **ret);

/* From a cgroup's path, and the lines of docs/format.md (which may be NULL). */
void container_facts__read(
	struct container_facts *ret, const char *path, const char *about, size_t about_size);
/*
 * "RUNTIME:NAME", with 12 digits of the id where there is no name; of Kubernetes
 * "RUNTIME:NAMESPACE/POD/NAME". Cut to @size with its NUL. To be escaped.
 */
void container_facts__label(const struct container_facts *facts, char *ret, size_t size);
/* Whether the shell pattern @glob matches its label, id, name, pod's name or uid, or image. */
bool container_facts__matches(const struct container_facts *facts, const char *glob);
/* An object with the keys of perfstamp-list(1); NULL without memory. */
struct json_object *container_facts__json(const struct container_facts *facts);

#endif
