// SPDX-License-Identifier: GPL-2.0-only
/*
 * modules.dep as a sorted table: it has 6,000 lines on a distribution's kernel,
 * and a hundred modules are asked for.
 */
#include "user/source/module_paths.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "user/parse/modules.h"
#include "user/source/proc_file.h"

struct module_path {
	char name[MODULE_NAME_MAX];
	const char *path; /* in .text, path_size bytes */
	size_t path_size;
	char *full; /* made when it is found */
};

struct module_paths {
	char *text;
	char directory[256];
	struct module_path *entries;
	size_t n;
};

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct module_path *)a)->name, ((const struct module_path *)b)->name);
}

static int fill(struct module_paths *paths)
{
	const char *cursor = paths->text, *path;
	size_t size, room = 0;

	while (modules_dep__next(&cursor, &path, &size)) {
		struct module_path *entry;

		if (paths->n == room) {
			struct module_path *more;

			room = room ? 2 * room : 256;
			more = realloc(paths->entries, room * sizeof(*more));
			if (!more)
				return -ENOMEM;
			paths->entries = more;
		}
		entry = &paths->entries[paths->n];
		if (!module_name__from_path(entry->name, path, size))
			continue;
		entry->path = path;
		entry->path_size = size;
		entry->full = NULL;
		paths->n++;
	}
	if (paths->n)
		qsort(paths->entries, paths->n, sizeof(*paths->entries), compare);
	return 0;
}

/* Full paths are made for all: find then needs no memory and cannot fail. */
static int complete(struct module_paths *paths)
{
	for (size_t i = 0; i < paths->n; i++) {
		struct module_path *entry = &paths->entries[i];
		const char *directory = *entry->path == '/' ? "" : paths->directory;

		if (asprintf(&entry->full, "%s%.*s", directory, (int)entry->path_size,
			    entry->path) < 0) {
			entry->full = NULL;
			return -ENOMEM;
		}
	}
	return 0;
}

int module_paths__new(struct module_paths **ret, const char *root)
{
	struct module_paths *paths = calloc(1, sizeof(*paths));
	struct utsname uts;
	int r;

	if (!paths)
		return -ENOMEM;
	uname(&uts);
	snprintf(paths->directory, sizeof(paths->directory), "/lib/modules/%s/", uts.release);
	r = proc_file__read(&paths->text, NULL, "%s%smodules.dep", root, paths->directory);
	if (r && r != -ENOMEM) {
		*ret = paths;
		return 0;
	}
	if (!r)
		r = fill(paths);
	if (!r)
		r = complete(paths);
	if (r) {
		module_paths__free(paths);
		return r;
	}
	*ret = paths;
	return 0;
}

void module_paths__free(struct module_paths *paths)
{
	if (!paths)
		return;
	for (size_t i = 0; i < paths->n; i++)
		free(paths->entries[i].full);
	free(paths->entries);
	free(paths->text);
	free(paths);
}

const char *module_paths__find(const struct module_paths *paths, const char *name)
{
	struct module_path key, *found;
	size_t i;

	for (i = 0; name[i] && i < sizeof(key.name) - 1; i++)
		key.name[i] = name[i] == '-' ? '_' : name[i];
	key.name[i] = '\0';
	if (!paths->n)
		return NULL;
	found = bsearch(&key, paths->entries, paths->n, sizeof(*paths->entries), compare);
	return found ? found->full : NULL;
}
