// SPDX-License-Identifier: GPL-2.0-only
/* See names.h. state.c reads what is in the files. */
#include "user/source/containers/names.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/source/containers/state.h"

/* Bytes; enough for a containers.json of some thousand containers. */
#define FILE_SIZE_MAX (8 << 20)
#define ID_DIGITS 64

/* Opens only a regular file, so that reading cannot block. NULL if it cannot be read. */
static char *read_file(size_t *ret_size, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static char *read_file(size_t *ret_size, const char *fmt, ...)
{
	char path[PATH_MAX], *text;
	struct stat st;
	ssize_t n = -1;
	va_list args;
	int fd;

	va_start(args, fmt);
	vsnprintf(path, sizeof(path), fmt, args);
	va_end(args);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
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

static int find_docker(const char *id, struct buffer *out)
{
	size_t size;
	char *daemon = read_file(&size, "/etc/docker/daemon.json"), *text;
	char *root = daemon ? container_state__docker_root(daemon, size) : NULL;
	int code;

	text = read_file(
		&size, "%s/containers/%s/config.v2.json", root ? root : "/var/lib/docker", id);
	code = text ? container_state__docker(text, size, out) : -ENOENT;
	free(text);
	free(root);
	free(daemon);
	return code;
}

/* Finds the OCI bundle of a container. */
static int find_bundle(const char *directory, const char *id, const char *below, struct buffer *out)
{
	size_t size;
	char *text = read_file(&size, "%s/%s%s/config.json", directory, id, below);
	int code = text ? container_state__bundle(text, size, out) : -ENOENT;

	free(text);
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
	size_t size;
	char *text = read_file(&size, "/var/lib" STORAGE "/%s", file);
	int code = text ? container_state__listed(text, size, id, out) : -ENOENT;

	free(text);
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
