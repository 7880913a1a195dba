// SPDX-License-Identifier: GPL-2.0-only
/*
 * module_paths: see module_paths.h. modules.dep has 6,000 lines on a distribution's kernel, and the
 * paths of a hundred modules are requested, so they are kept in a sorted table. If the entry of a
 * module in modules.dep is missing or wrong, the module tree is walked. This takes a tenth of a
 * second.
 */
#include "user/source/kernel/module_paths.h"

#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>

#include "user/base/array.h"
#include "user/parse/kernel/modules.h"
#include "user/source/machine/clock.h"
#include "user/source/kernel/module_content.h"
#include "user/source/proc/file.h"

#define FILES_MAX 200000 /* limit of the files in one tree */

struct module_path {
	char name[MODULE_NAME_MAX];
	char *full;
};

struct path_list {
	struct module_path *v; /* sorted by name */
	size_t n;
	size_t room;
};

struct module_paths {
	char root[256];
	char release[65];
	struct path_list dep;
	struct path_list tree;
	bool has_dep;
	bool has_tree;
	bool read_all;
};

static int compare(const void *a, const void *b)
{
	const struct module_path *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : strcmp(x->full, y->full);
}

static void free_list(struct path_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->v[i].full);
	free(list->v);
	memset(list, 0, sizeof(*list));
}

/* Skips what is not the path of a module. Returns 0 or -ENOMEM. */
static int add(struct path_list *list, const char *directory, const char *path, size_t size)
{
	struct module_path *entry;

	if (array__reserve(&list->v, &list->room, list->n + 1, sizeof(*list->v)))
		return -ENOMEM;
	entry = &list->v[list->n];
	if (!module_name__from_path(entry->name, path, size))
		return 0;
	if (asprintf(&entry->full, "%s%.*s", *path == '/' ? "" : directory, (int)size, path) < 0)
		return -ENOMEM;
	list->n++;
	return 0;
}

static void sort(struct path_list *list)
{
	if (list->n)
		qsort(list->v, list->n, sizeof(*list->v), compare);
}

static void read_dep(struct module_paths *paths)
{
	char directory[128], *text;
	const char *cursor, *path;
	size_t size;
	int code;

	paths->has_dep = true;
	snprintf(directory, sizeof(directory), "/lib/modules/%s/", paths->release);
	if (proc_file__read(&text, NULL, "%s%smodules.dep", paths->root, directory))
		return;
	cursor = text;
	code = 0;
	while (!code && modules_dep__next(&cursor, &path, &size))
		code = add(&paths->dep, directory, path, size);
	free(text);
	sort(&paths->dep);
}

static void walk(struct module_paths *paths, const char *under)
{
	char path[PATH_MAX];
	char *roots[] = {path, NULL};
	size_t root = strlen(paths->root), seen = 0;
	FTSENT *entry;
	FTS *fts;

	snprintf(path, sizeof(path), "%s%s", paths->root, under);
	/* Does not follow links: `build' and `source' lead to whole source trees. */
	fts = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT, NULL);
	while (fts && seen < FILES_MAX && (entry = fts_read(fts))) {
		seen++;
		if (entry->fts_info != FTS_D && entry->fts_info != FTS_DP &&
			add(&paths->tree, "", entry->fts_path + root,
				strlen(entry->fts_path + root)))
			break;
	}
	if (fts)
		fts_close(fts);
}

static void read_tree(struct module_paths *paths)
{
	char path[128];

	paths->has_tree = true;
	snprintf(path, sizeof(path), "/lib/modules/%s/", paths->release);
	walk(paths, path);
	walk(paths, "/var/lib/dkms/");
	sort(&paths->tree);
}

int module_paths__new(struct module_paths **ret, const char *root)
{
	struct module_paths *paths = calloc(1, sizeof(*paths));
	struct utsname name;

	if (!paths)
		return -ENOMEM;
	uname(&name);
	snprintf(paths->release, sizeof(paths->release), "%s", name.release);
	snprintf(paths->root, sizeof(paths->root), "%s", root);
	*ret = paths;
	return 0;
}

void module_paths__read_all(struct module_paths *paths)
{
	paths->read_all = true;
}

void module_paths__free(struct module_paths *paths)
{
	if (!paths)
		return;
	free_list(&paths->dep);
	free_list(&paths->tree);
	free(paths);
}

bool module_paths__is_in_tree(const char *path)
{
	return !strncmp(path, "/lib/modules/", 13) || !strncmp(path, "/usr/lib/modules/", 17);
}

/* Decided by the file's ctime, which cannot be set back. */
static bool unchanged_since_boot(const char *path)
{
	int64_t boot_ns = clock__now(CLOCK_REALTIME) - clock__now(CLOCK_BOOTTIME);
	struct stat st;

	return !stat(path, &st) && st.st_ctime < boot_ns / 1000000000;
}

static bool is_compressed(const char *path)
{
	size_t len = strlen(path);

	return len < 3 || strcmp(path + len - 3, ".ko") != 0;
}

static bool matches(const struct module_paths *paths, const struct path_list *list,
	const struct module_path *entry, const uint8_t *build_id, size_t size)
{
	char path[PATH_MAX];

	if (!size)
		return true;
	if (snprintf(path, sizeof(path), "%s%s", paths->root, entry->full) >= PATH_MAX)
		return false;
	if (list == &paths->dep && !paths->read_all && is_compressed(path) &&
		unchanged_since_boot(path))
		return true;
	return module_content__has_build_id(path, build_id, size);
}

/* Returns the first entry with this name in a sorted list, or the entry after its place. */
static size_t lower_bound(const struct path_list *list, const char *name)
{
	size_t low = 0, high = list->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(list->v[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const char *search(const struct module_paths *paths, const struct path_list *list,
	const char *name, const uint8_t *build_id, size_t size)
{
	for (size_t i = lower_bound(list, name); i < list->n; i++) {
		if (strcmp(list->v[i].name, name) != 0)
			break;
		if (matches(paths, list, &list->v[i], build_id, size))
			return list->v[i].full;
	}
	return NULL;
}

const char *module_paths__find(
	struct module_paths *paths, const char *name, const uint8_t *build_id, size_t size)
{
	char key[MODULE_NAME_MAX];
	const char *found;
	size_t i;

	for (i = 0; name[i] && i < sizeof(key) - 1; i++)
		key[i] = name[i] == '-' ? '_' : name[i];
	key[i] = '\0';
	if (!paths->has_dep)
		read_dep(paths);
	found = search(paths, &paths->dep, key, build_id, size);
	if (found || !size)
		return found;
	if (!paths->has_tree)
		read_tree(paths);
	return search(paths, &paths->tree, key, build_id, size);
}
