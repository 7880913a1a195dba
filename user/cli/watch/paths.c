// SPDX-License-Identifier: GPL-2.0-only
/* See paths.h. */
#include "user/cli/watch/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "user/source/machine/clock.h"
#include "user/source/content/file_identity.h"
#include "user/source/content/path_look.h"
#include "user/source/content/path_watch.h"

struct watch_paths {
	struct path_watch *watch;
	struct observer *observer;
};

int watch_paths__new(struct watch_paths **ret, struct observer *observer, struct error *err)
{
	struct watch_paths *paths = calloc(1, sizeof(*paths));
	int code;

	*ret = NULL;
	if (!paths)
		return error__set(err, -ENOMEM, "out of memory");
	paths->observer = observer;
	code = path_watch__new(&paths->watch, err);
	if (code) {
		free(paths);
		return code;
	}
	*ret = paths;
	return 0;
}

void watch_paths__free(struct watch_paths *paths)
{
	if (!paths)
		return;
	path_watch__free(paths->watch);
	free(paths);
}

int watch_paths__fd(const struct watch_paths *paths)
{
	return path_watch__fd(paths->watch);
}

size_t watch_paths__n_unwatched(const struct watch_paths *paths)
{
	return path_watch__n_unwatched(paths->watch);
}

int watch_paths__add(struct watch_paths *paths, const struct event *event)
{
	const struct event_map *map = &event->map;
	int code;

	if (event->kind != EVENT_MAP || map->kernel || !map->executable || map->path[0] != '/' ||
		map->path[1] == '/' || map->identity.reason == PERFSTAMP_REASON_ANONYMOUS)
		return 0;
	/*
	 * A file that was replaced before the start is known to be deleted: its snapshot shows
	 * that.
	 */
	code = path_watch__add(paths->watch, event->pid, map->identity.mnt_ns, map->path,
		event->time_ns ? map->identity.ino : 0);
	return code == -ENOMEM ? code : 0;
}

/* A process that maps a path in a mount namespace. */
struct mapper {
	const struct model *model;
	uint32_t mnt_ns;
	const char *path;
	uint32_t pid;
};

static int find_mapper(const struct model_mapping *mapping, void *ctx)
{
	struct mapper *mapper = ctx;

	if (mapping->mnt_ns != mapper->mnt_ns || mapping->sighting == UINT32_MAX ||
		strcmp(model__sighting_so_far(mapper->model, mapping->sighting)->path,
			mapper->path) != 0)
		return 0;
	mapper->pid = mapping->pid;
	return 1;
}

/*
 * Reports the current file at the path. If a file is still empty because it is being written, it is
 * read again when it is closed.
 */
static int look(struct watch_paths *paths, const struct mapper *mapper)
{
	uint64_t now_ns = clock__now(CLOCK_MONOTONIC);
	struct perfstamp_identity now = {0};
	const struct perfstamp_identity *gives = NULL;
	struct stat st;
	int fd = path_look__open(mapper->pid, mapper->path), code = 0;

	if (fd >= 0 && (fstat(fd, &st) || !st.st_size)) {
		close(fd);
		return 0;
	}
	if (fd >= 0) {
		code = file_identity__read(fd, PERFSTAMP_SOURCE_USER, &now);
		gives = &now;
		close(fd);
	} else if (fd != -ENOENT) {
		code = fd; /* the file cannot be read; the next map will show it */
	}
	if (code)
		return code == -ENOMEM ? code : 0;
	return replaced__path(paths->observer->replaced, mapper->mnt_ns, mapper->path, gives,
		now_ns, observer__replaced, paths->observer);
}

static int on_change(void *ctx, uint32_t mnt_ns, const char *path)
{
	struct watch_paths *paths = ctx;
	struct mapper mapper = {.model = paths->observer->model, .mnt_ns = mnt_ns, .path = path};

	return model__for_each_mapping(mapper.model, find_mapper, &mapper) ? look(paths, &mapper)
									   : 0;
}

int watch_paths__look(struct watch_paths *paths)
{
	return path_watch__changed(paths->watch, on_change, paths);
}
