// SPDX-License-Identifier: GPL-2.0-only
/*
 * See state.h. The formats of the files: docker's container/container.go (config.v2.json),
 * containers/storage's containers.go (containers.json), the OCI runtime specification
 * (config.json), whose annotations are those of containerd's pkg/cri/annotations, cri-o's
 * pkg/annotations and nerdctl.
 */
#include "user/source/containers/state.h"

#include <errno.h>
#include <json-c/json.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "user/perfdata/features/stamp.h"

#define NAME_SIZE_MAX 512 /* bytes of a name that are kept */

struct found {
	const char *name, *image, *namespace, *pod; /* NULL: not known */
};

/* Free with json_object_put. NULL for what is not JSON. */
static struct json_object *parse(const char *text, size_t size)
{
	struct json_tokener *tokener = size <= INT_MAX ? json_tokener_new() : NULL;
	struct json_object *object;

	if (!tokener)
		return NULL;
	object = json_tokener_parse_ex(tokener, text, (int)size);
	json_tokener_free(tokener);
	return object;
}

static struct json_object *member(struct json_object *object, const char *key)
{
	struct json_object *value;

	return json_object_is_type(object, json_type_object) &&
			       json_object_object_get_ex(object, key, &value)
		       ? value
		       : NULL;
}

/* NULL if it is not a string, or empty. */
static const char *text_of(struct json_object *value)
{
	const char *text = json_object_is_type(value, json_type_string)
				   ? json_object_get_string(value)
				   : NULL;

	return text && *text ? text : NULL;
}

static const char *text_at(struct json_object *object, const char *key)
{
	return text_of(member(object, key));
}

static const char *first(const char *a, const char *b)
{
	return a ? a : b;
}

static int put(struct buffer *out, const char *key, const char *value)
{
	char text[NAME_SIZE_MAX];

	if (!value)
		return 0;
	snprintf(text, sizeof(text), "%s", value);
	return stamp__put(out, key, text);
}

static int put_found(struct buffer *out, const struct found *found)
{
	if (!found->name && !found->image && !found->pod)
		return -ENOENT;
	put(out, "name", found->name);
	put(out, "image", found->image);
	put(out, "namespace", found->namespace);
	put(out, "pod", found->pod);
	return out->error;
}

/* Annotations that Kubernetes sets; with docker, they are labels. */
static void take_kubernetes(struct found *ret, struct json_object *notes)
{
	ret->name = first(first(text_at(notes, "io.kubernetes.cri.container-name"),
				  text_at(notes, "io.kubernetes.container.name")),
		ret->name);
	ret->pod = first(text_at(notes, "io.kubernetes.cri.sandbox-name"),
		text_at(notes, "io.kubernetes.pod.name"));
	ret->namespace = first(text_at(notes, "io.kubernetes.cri.sandbox-namespace"),
		text_at(notes, "io.kubernetes.pod.namespace"));
	ret->image = first(first(text_at(notes, "io.kubernetes.cri.image-name"),
				   text_at(notes, "io.kubernetes.cri-o.ImageName")),
		ret->image);
}

char *container_state__docker_root(const char *text, size_t size)
{
	struct json_object *daemon = parse(text, size);
	const char *root = text_at(daemon, "data-root");
	char *copy = root ? strdup(root) : NULL;

	json_object_put(daemon);
	return copy;
}

int container_state__docker(const char *text, size_t size, struct buffer *out)
{
	struct json_object *object = parse(text, size), *config = member(object, "Config");
	struct found found = {.name = text_at(object, "Name"), .image = text_at(config, "Image")};
	int code;

	if (found.name && *found.name == '/')
		found.name++;
	take_kubernetes(&found, member(config, "Labels"));
	code = put_found(out, &found);
	json_object_put(object);
	return code;
}

int container_state__bundle(const char *text, size_t size, struct buffer *out)
{
	struct json_object *object = parse(text, size), *notes = member(object, "annotations");
	struct found found = {.name = text_at(notes, "nerdctl/name")};
	int code;

	take_kubernetes(&found, notes);
	code = put_found(out, &found);
	json_object_put(object);
	return code;
}

int container_state__listed(const char *text, size_t size, const char *id, struct buffer *out)
{
	struct json_object *list = parse(text, size), *metadata = NULL;
	size_t n = json_object_is_type(list, json_type_array) ? json_object_array_length(list) : 0;
	int code = -ENOENT;

	for (size_t i = 0; i < n; i++) {
		struct json_object *entry = json_object_array_get_idx(list, i);
		struct json_object *names = member(entry, "names");
		struct found found = {0};
		const char *its = text_at(entry, "id");

		if (!its || strcmp(its, id))
			continue;
		if (json_object_is_type(names, json_type_array) && json_object_array_length(names))
			found.name = text_of(json_object_array_get_idx(names, 0));
		its = text_at(entry, "metadata");
		metadata = its ? parse(its, strlen(its)) : NULL;
		found.image = text_at(metadata, "image-name");
		code = put_found(out, &found);
		break;
	}
	json_object_put(metadata);
	json_object_put(list);
	return code;
}
