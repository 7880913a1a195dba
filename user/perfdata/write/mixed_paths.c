// SPDX-License-Identifier: GPL-2.0-only
/* See mixed_paths.h. */
#include "user/perfdata/write/mixed_paths.h"

#include <errno.h>
#include <search.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "user/perfdata/layout.h"

struct mixed_path {
	const char *path;
	bool has_build_id; /* content at the path has a build-id */
	bool changed;      /* content with a cookie preceded it */
	uint8_t cookie_size;
	uint8_t cookie[PERFSTAMP_COOKIE_MAX];
	char text[];
};

static int by_path(const void *a, const void *b)
{
	const struct mixed_path *x = a, *y = b;

	return strcmp(x->path, y->path);
}

/* Adds a path. Returns NULL if memory is exhausted. */
static struct mixed_path *add(struct mixed_paths *paths, const char *path)
{
	size_t size = strlen(path) + 1;
	struct mixed_path *one = calloc(1, sizeof(*one) + size);

	if (!one)
		return NULL;
	memcpy(one->text, path, size);
	one->path = one->text;
	if (!tsearch(one, &paths->tree, by_path)) {
		free(one);
		return NULL;
	}
	paths->n++;
	return one;
}

int mixed_paths__see(struct mixed_paths *paths, const struct event_map *map)
{
	const struct perfstamp_identity *identity = &map->identity;
	/* If content could not be read, it may have a build-id. */
	bool none = !identity->build_id_size && identity->cookie_size &&
		    (identity->reason == PERFSTAMP_REASON_NO_NOTE ||
			    identity->reason == PERFSTAMP_REASON_NOT_ELF);
	const struct mixed_path key = {.path = map->path};
	struct mixed_path *path, **found;

	if (!map->executable || map->kernel || *map->path != '/' ||
		(!none && !identity->build_id_size))
		return 0;
	found = tfind(&key, &paths->tree, by_path);
	if (!found && paths->n >= MIXED_PATHS_MAX) {
		paths->untracked++;
		return 0;
	}
	path = found ? *found : add(paths, map->path);
	if (!path)
		return -ENOMEM;
	if (!none) {
		path->changed |= !path->has_build_id && path->cookie_size;
		path->has_build_id = true;
		return 0;
	}
	if (path->has_build_id)
		return 1;
	path->cookie_size = identity->cookie_size;
	memcpy(path->cookie, identity->cookie, sizeof(path->cookie));
	return 0;
}

static void put_entry(const void *node, VISIT visit, void *out)
{
	const struct mixed_path *path = *(const struct mixed_path *const *)node;
	struct perfdata_build_id entry = {.pid = -1};
	size_t size = strlen(path->path) + 1;
	size_t padding = -size % PERFDATA_STRING_ALIGN;

	if ((visit != postorder && visit != leaf) || !path->changed)
		return;
	entry.header.misc = PERF_RECORD_MISC_USER | PERFDATA_MISC_BUILD_ID_SIZE;
	entry.header.size = sizeof(entry) + size + padding;
	entry.size = path->cookie_size;
	memcpy(entry.build_id, path->cookie, sizeof(entry.build_id));
	buffer__append(out, &entry, sizeof(entry));
	buffer__append(out, path->path, size);
	buffer__zeros(out, padding);
}

int mixed_paths__table(const struct mixed_paths *paths, struct buffer *out)
{
	twalk_r(paths->tree, put_entry, out);
	return out->error;
}

void mixed_paths__clear(struct mixed_paths *paths)
{
	tdestroy(paths->tree, free);
	*paths = (struct mixed_paths){0};
}
