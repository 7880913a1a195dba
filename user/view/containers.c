// SPDX-License-Identifier: GPL-2.0-only
/* containers: see containers.h. */
#include "user/view/containers.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/hash.h"
#include "user/perfdata/features/stamp.h"
#include "user/view/format/json.h"

#define SHORT_ID 12 /* digits of an id, as many as runtimes show */

struct known_container {
	char *key; /* runtime, id and pod */
	struct container_facts facts;
	UT_hash_handle hh;
};

struct known_cgroup {
	uint64_t id;
	struct known_container *container; /* or NULL */
	UT_hash_handle hh;
};

struct containers {
	const struct model *model;
	struct known_cgroup *by_cgroup;
	struct known_container *by_key;
};

static void take_line(char *ret, size_t size, const char *about, size_t about_size, const char *key)
{
	if (!about || stamp__get(about, about_size, key, ret, size) < 0)
		*ret = '\0';
}

void container_facts__read(
	struct container_facts *ret, const char *path, const char *about, size_t about_size)
{
	memset(ret, 0, sizeof(*ret));
	container__parse(&ret->is, path);
	ret->is.inside = NULL;
	if (!about)
		return;
	take_line(ret->name, sizeof(ret->name), about, about_size, "name");
	take_line(ret->image, sizeof(ret->image), about, about_size, "image");
	take_line(ret->pod, sizeof(ret->pod), about, about_size, "pod");
	take_line(ret->namespace, sizeof(ret->namespace), about, about_size, "namespace");
}

void container_facts__label(const struct container_facts *facts, char *ret, size_t size)
{
	const char *runtime = container_runtime__name(facts->is.runtime);
	const char *id = *facts->is.id ? facts->is.id : facts->is.pod;
	int shown = strlen(id) == 64 ? SHORT_ID : CONTAINER_TEXT_MAX;

	if (*facts->pod)
		snprintf(ret, size, "%s:%s/%s%s%s", runtime, facts->namespace, facts->pod,
			*facts->name ? "/" : "", facts->name);
	else if (*facts->name)
		snprintf(ret, size, "%s:%s", runtime, facts->name);
	else
		snprintf(ret, size, "%s:%.*s", runtime, shown, id);
}

bool container_facts__matches(const struct container_facts *facts, const char *glob)
{
	char label[4 * CONTAINER_TEXT_MAX], short_id[SHORT_ID + 1];
	const char *texts[] = {label, short_id, facts->is.id, facts->name, facts->pod,
		facts->is.pod, facts->image};

	container_facts__label(facts, label, sizeof(label));
	snprintf(short_id, sizeof(short_id), "%.*s", SHORT_ID, facts->is.id);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (*texts[i] && !fnmatch(glob, texts[i], 0))
			return true;
	return false;
}

static void add_known(struct json_object *object, const char *key, const char *text)
{
	json__add_text(object, key, *text ? text : NULL);
}

struct json_object *container_facts__json(const struct container_facts *facts)
{
	struct json_object *object = json_object_new_object();

	if (!object)
		return NULL;
	json__add_text(object, "runtime", container_runtime__name(facts->is.runtime));
	add_known(object, "id", facts->is.id);
	add_known(object, "name", facts->name);
	add_known(object, "image", facts->image);
	add_known(object, "namespace", facts->namespace);
	add_known(object, "pod", facts->pod);
	add_known(object, "pod_uid", facts->is.pod);
	json__add_text(object, "qos", container_qos__name(facts->is.qos));
	return object;
}

int containers__new(struct containers **ret, const struct model *model)
{
	*ret = calloc(1, sizeof(**ret));
	if (!*ret)
		return -ENOMEM;
	(*ret)->model = model;
	return 0;
}

void containers__free(struct containers *containers)
{
	struct known_container *container, *next_container;

	if (!containers)
		return;
	hash__free(containers->by_cgroup);
	HASH_ITER (hh, containers->by_key, container, next_container) {
		HASH_DEL(containers->by_key, container);
		free(container->key);
		free(container);
	}
	free(containers);
}

/* Adds a text that an earlier cgroup of the container did not have. */
static void complete(char *known, const char *text, size_t size)
{
	if (!*known)
		memcpy(known, text, size);
}

static int intern(struct containers *containers, const struct container_facts *facts,
	struct known_container **ret)
{
	struct known_container *known;
	char *key;

	if (asprintf(&key, "%d/%s/%s", facts->is.runtime, facts->is.id, facts->is.pod) < 0)
		return -ENOMEM;
	HASH_FIND_STR(containers->by_key, key, known);
	if (known) {
		free(key);
		complete(known->facts.name, facts->name, sizeof(facts->name));
		complete(known->facts.image, facts->image, sizeof(facts->image));
		complete(known->facts.pod, facts->pod, sizeof(facts->pod));
		complete(known->facts.namespace, facts->namespace, sizeof(facts->namespace));
		*ret = known;
		return 0;
	}
	known = calloc(1, sizeof(*known));
	if (!known) {
		free(key);
		return -ENOMEM;
	}
	known->key = key;
	known->facts = *facts;
	HASH_ADD_KEYPTR(hh, containers->by_key, known->key, strlen(known->key), known);
	*ret = known;
	if (hash__added(known))
		return 0;
	free(key);
	free(known);
	return -ENOMEM;
}

static int add(struct containers *containers, uint64_t id, struct known_cgroup **ret)
{
	const char *path = model__cgroup_path(containers->model, id), *about;
	struct known_cgroup *cgroup = calloc(1, sizeof(*cgroup));
	struct container_facts facts;
	size_t about_size;
	int err = 0;

	if (!cgroup)
		return -ENOMEM;
	cgroup->id = id;
	if (path) {
		about = model__cgroup_about(containers->model, id, &about_size);
		container_facts__read(&facts, path, about, about_size);
		if (facts.is.runtime != CONTAINER_NONE)
			err = intern(containers, &facts, &cgroup->container);
	}
	if (!err)
		HASH_ADD(hh, containers->by_cgroup, id, sizeof(cgroup->id), cgroup);
	if (err || !hash__added(cgroup)) {
		free(cgroup);
		return -ENOMEM;
	}
	*ret = cgroup;
	return 0;
}

int containers__find(struct containers *containers, uint64_t id, struct container_facts **ret)
{
	struct known_cgroup *cgroup;
	int err = 0;

	HASH_FIND(hh, containers->by_cgroup, &id, sizeof(id), cgroup);
	if (!cgroup)
		err = add(containers, id, &cgroup);
	*ret = err || !cgroup->container ? NULL : &cgroup->container->facts;
	return err;
}
