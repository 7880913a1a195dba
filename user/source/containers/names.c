// SPDX-License-Identifier: GPL-2.0-only
/*
 * container_names: see names.h. The formats of the files: docker's container/container.go
 * (config.v2.json), containers/storage's containers.go (containers.json), the OCI runtime
 * specification (config.json), whose annotations are those of containerd's pkg/cri/annotations,
 * cri-o's pkg/annotations and nerdctl.
 */
#include "user/source/containers/names.h"

#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/perfdata/features/stamp.h"

/* Bytes; enough for a containers.json of some thousand containers. */
#define FILE_SIZE_MAX (8 << 20)
#define NAME_SIZE_MAX 512 /* bytes of a name that are kept */
#define ID_DIGITS 64

struct found {
	const char *name, *image, *namespace, *pod; /* NULL: not known */
};

/* Opens only a regular file, so that reading cannot block. NULL if it cannot be read. */
static char *read_file(const char *path, size_t *ret_size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	ssize_t n = -1;
	char *text;

	if (fd < 0)
		return NULL;
	text = !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size <= FILE_SIZE_MAX
		       ? malloc(st.st_size + 1)
		       : NULL;
	if (text)
		n = read(fd, text, st.st_size);
	close(fd);
	if (n < 0) {
		free(text);
		return NULL;
	}
	*ret_size = n;
	return text;
}

static struct json_object *read_json(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Free with json_object_put. NULL if the file is missing or is not JSON. */
static struct json_object *read_json(const char *fmt, ...)
{
	struct json_tokener *tokener;
	struct json_object *object = NULL;
	char path[PATH_MAX], *text;
	size_t size;
	va_list args;

	va_start(args, fmt);
	vsnprintf(path, sizeof(path), fmt, args);
	va_end(args);
	text = read_file(path, &size);
	tokener = text ? json_tokener_new() : NULL;
	if (tokener)
		object = json_tokener_parse_ex(tokener, text, (int)size);
	if (tokener)
		json_tokener_free(tokener);
	free(text);
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

static int find_docker(const char *id, struct buffer *out)
{
	struct json_object *daemon = read_json("/etc/docker/daemon.json"), *config, *object;
	const char *root = first(text_at(daemon, "data-root"), "/var/lib/docker");
	struct found found = {0};
	int code;

	object = read_json("%s/containers/%s/config.v2.json", root, id);
	config = member(object, "Config");
	found.name = text_at(object, "Name");
	if (found.name && *found.name == '/')
		found.name++;
	found.image = text_at(config, "Image");
	take_kubernetes(&found, member(config, "Labels"));
	code = put_found(out, &found);
	json_object_put(object);
	json_object_put(daemon);
	return code;
}

/* Finds the OCI bundle of a container. */
static int find_bundle(const char *directory, const char *id, const char *below, struct buffer *out)
{
	struct json_object *object = read_json("%s/%s%s/config.json", directory, id, below);
	struct json_object *notes = member(object, "annotations");
	struct found found = {.name = text_at(notes, "nerdctl/name")};
	int code;

	take_kubernetes(&found, notes);
	code = put_found(out, &found);
	json_object_put(object);
	return code;
}

static int find_containerd(const char *id, struct buffer *out)
{
	static const char *const DIRECTORIES[] = {
		"/run/containerd/io.containerd.runtime.v2.task/k8s.io",
		"/run/k3s/containerd/io.containerd.runtime.v2.task/k8s.io",
		"/run/containerd/io.containerd.runtime.v2.task/default",
	};
	int code = -ENOENT;

	for (size_t i = 0; code == -ENOENT && i < sizeof(DIRECTORIES) / sizeof(*DIRECTORIES); i++)
		code = find_bundle(DIRECTORIES[i], id, "", out);
	return code;
}

#define STORAGE "/containers/storage/overlay-containers"

/* Searches the list of containers/storage, which podman and CRI-O share. */
static int find_listed(const char *file, const char *id, struct buffer *out)
{
	struct json_object *list = read_json("/var/lib" STORAGE "/%s", file), *metadata = NULL;
	size_t n = json_object_is_type(list, json_type_array) ? json_object_array_length(list) : 0;
	int code = -ENOENT;

	for (size_t i = 0; code == -ENOENT && i < n; i++) {
		struct json_object *entry = json_object_array_get_idx(list, i);
		struct json_object *names = member(entry, "names");
		struct found found = {0};
		const char *text = text_at(entry, "id");

		if (!text || strcmp(text, id))
			continue;
		if (json_object_is_type(names, json_type_array) && json_object_array_length(names))
			found.name = text_of(json_object_array_get_idx(names, 0));
		text = text_at(entry, "metadata");
		metadata = text ? json_tokener_parse(text) : NULL;
		found.image = text_at(metadata, "image-name");
		code = put_found(out, &found);
		break;
	}
	json_object_put(metadata);
	json_object_put(list);
	return code;
}

static int find_storage(const char *id, struct buffer *out)
{
	int code = find_bundle("/var/lib" STORAGE, id, "/userdata", out);

	if (code == -ENOENT)
		code = find_bundle("/run" STORAGE, id, "/userdata", out);
	if (code == -ENOENT)
		code = find_listed("containers.json", id, out);
	if (code == -ENOENT)
		code = find_listed("volatile-containers.json", id, out);
	return code;
}

int container_names__find(const struct container *container, struct buffer *out)
{
	const char *id = container->id;
	int code = -ENOENT;

	if (strspn(id, "0123456789abcdef") != ID_DIGITS || id[ID_DIGITS])
		return -ENOENT;
	switch (container->runtime) {
	case CONTAINER_DOCKER:
		return find_docker(id, out);
	case CONTAINER_PODMAN:
	case CONTAINER_CRIO:
		return find_storage(id, out);
	case CONTAINER_CONTAINERD:
		return find_containerd(id, out);
	case CONTAINER_KUBERNETES:
	case CONTAINER_OCI:
		code = find_containerd(id, out);
		if (code == -ENOENT)
			code = find_docker(id, out);
		return code == -ENOENT ? find_storage(id, out) : code;
	default:
		return code;
	}
}
