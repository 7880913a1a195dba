// SPDX-License-Identifier: GPL-2.0-only
/*
 * See path_watch.h. inotify knows directories by their inodes: where two mount namespaces
 * share one, it is watched once, for the paths of both. A directory that is removed or
 * unmounted takes its watch with it. The watch of a directory that is moved would stay with
 * it, and not with the path.
 */
#include "user/source/content/path_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "user/base/hash.h"

#define PATH_WATCH_EVENTS                                                                          \
	(IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CLOSE_WRITE | IN_MOVE_SELF |     \
		IN_ONLYDIR)
#ifndef FUSE_SUPER_MAGIC
#define FUSE_SUPER_MAGIC 0x65735546
#endif

struct place {
	int wd; /* -1: it cannot be watched, and this was counted */
	bool changed;
	uint64_t ino;       /* of the file that was mapped last; 0: not known */
	struct place *next; /* of the same directory */
	UT_hash_handle hh;
	size_t key_size;
	uint32_t mnt_ns; /* first member of the key */
	char path[];
};

struct directory {
	int wd;
	struct place *places;
	UT_hash_handle hh;
};

struct path_watch {
	int fd;
	struct place *places;
	struct directory *directories;
	size_t n_unwatched;
	bool overflow; /* the kernel dropped notifications: each path may have changed */
	bool pending;  /* a path had changed before it was watched */
};

int path_watch__new(struct path_watch **ret, struct error *err)
{
	struct path_watch *watch = calloc(1, sizeof(*watch));
	int code;

	*ret = NULL;
	if (!watch)
		return error__set(err, -ENOMEM, "out of memory");
	watch->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (watch->fd < 0) {
		code = -errno;
		free(watch);
		return error__errno(err, code, "inotify (see fs.inotify.max_user_instances)");
	}
	*ret = watch;
	return 0;
}

void path_watch__free(struct path_watch *watch)
{
	if (!watch)
		return;
	hash__free(watch->directories);
	hash__free(watch->places);
	close(watch->fd);
	free(watch);
}

size_t path_watch__n_unwatched(const struct path_watch *watch)
{
	return watch->n_unwatched;
}

int path_watch__fd(const struct path_watch *watch)
{
	return watch->fd;
}

/* Another process, or another machine, serves these file systems. */
static bool is_served(int fd)
{
	static const unsigned long SERVED[] = {FUSE_SUPER_MAGIC, NFS_SUPER_MAGIC, SMB_SUPER_MAGIC,
		0xff534d42 /* cifs */, 0xfe534d42 /* smb2 */, V9FS_MAGIC, CEPH_SUPER_MAGIC,
		AFS_SUPER_MAGIC, 0x5346414f /* afs */, CODA_SUPER_MAGIC, OCFS2_SUPER_MAGIC,
		0x0bd00bd0 /* lustre */, 0x20030528 /* orangefs */, 0x786f4256 /* vboxsf */};
	struct statfs fs;

	if (fstatfs(fd, &fs))
		return true;
	for (size_t i = 0; i < sizeof(SERVED) / sizeof(SERVED[0]); i++)
		if ((unsigned long)fs.f_type == SERVED[i])
			return true;
	return false;
}

/* Whether the file @name in the directory is missing, or has another inode than @ino. */
static bool is_other_file(int directory, const char *name, uint64_t ino)
{
	struct stat st;

	if (fstatat(directory, name, &st, 0))
		return errno == ENOENT;
	return st.st_ino != ino;
}

/*
 * Watches the directory of @path, as @pid sees it. Returns the watch's number or -errno. The caller
 * checks the file only after that, so that no change is missed in between.
 */
static int watch_directory(
	struct path_watch *watch, pid_t pid, const char *path, uint64_t ino, bool *ret_changed)
{
	const char *slash = strrchr(path, '/');
	char *name, link[32];
	int fd, wd, code;

	if (!slash || asprintf(&name, "/proc/%d/root%.*s/", pid, (int)(slash - path), path) < 0)
		return -ENOMEM;
	fd = open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	code = fd < 0 ? -errno : 0;
	free(name);
	if (code)
		return code == -ENOENT || code == -ENOTDIR ? -ESRCH : code;
	if (is_served(fd)) {
		close(fd);
		return -EOPNOTSUPP;
	}
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	wd = inotify_add_watch(watch->fd, link, PATH_WATCH_EVENTS);
	code = wd < 0 ? -errno : wd;
	*ret_changed = wd >= 0 && ino && is_other_file(fd, slash + 1, ino);
	close(fd);
	return code;
}

static struct directory *get_directory(struct path_watch *watch, int wd)
{
	struct directory *directory;

	HASH_FIND_INT(watch->directories, &wd, directory);
	if (directory)
		return directory;
	directory = calloc(1, sizeof(*directory));
	if (!directory)
		return NULL;
	directory->wd = wd;
	HASH_ADD_INT(watch->directories, wd, directory);
	if (hash__added(directory))
		return directory;
	free(directory);
	return NULL;
}

static struct place *make_place(
	struct path_watch *watch, uint32_t mnt_ns, const char *path, size_t key_size)
{
	struct place *place = calloc(1, sizeof(*place) + key_size);

	if (!place)
		return NULL;
	place->key_size = key_size;
	place->mnt_ns = mnt_ns;
	memcpy(place->path, path, strlen(path));
	HASH_ADD(hh, watch->places, mnt_ns, key_size, place);
	if (hash__added(place))
		return place;
	free(place);
	return NULL;
}

/* @changed: the path led to another file when it was watched. */
static int attach(struct path_watch *watch, struct place *place, int wd, bool changed)
{
	struct directory *directory = get_directory(watch, wd);

	if (!directory)
		return -ENOMEM;
	place->changed |= changed;
	watch->pending |= changed;
	place->wd = wd;
	place->next = directory->places;
	directory->places = place;
	return 0;
}

static void detach(struct path_watch *watch, struct place *place)
{
	struct directory *directory;
	struct place **at;

	HASH_FIND_INT(watch->directories, &place->wd, directory);
	if (!directory)
		return;
	for (at = &directory->places; *at && *at != place; at = &(*at)->next)
		;
	if (*at)
		*at = place->next;
	if (directory->places)
		return;
	inotify_rm_watch(watch->fd, directory->wd);
	HASH_DEL(watch->directories, directory);
	free(directory);
}

/*
 * Another file is mapped at a watched path. If a directory above it was moved, the path leads to
 * another directory now, and nothing else shows this.
 */
static int follow(struct path_watch *watch, struct place *place, pid_t pid, uint64_t ino)
{
	bool changed = false;
	int wd;

	if (place->wd < 0 || !ino || ino == place->ino)
		return 0;
	wd = watch_directory(watch, pid, place->path, ino, &changed);
	if (wd == -ESRCH || wd == -ENOMEM)
		return wd;
	place->ino = ino;
	if (wd < 0 || wd == place->wd)
		return 0;
	detach(watch, place);
	return attach(watch, place, wd, changed);
}

int path_watch__add(
	struct path_watch *watch, pid_t pid, uint32_t mnt_ns, const char *path, uint64_t ino)
{
	size_t key_size = sizeof(mnt_ns) + strlen(path);
	struct place *place, *key = calloc(1, sizeof(*key) + key_size);
	bool changed = false;
	int wd;

	if (!key)
		return -ENOMEM;
	key->mnt_ns = mnt_ns;
	memcpy(key->path, path, strlen(path));
	HASH_FIND(hh, watch->places, &key->mnt_ns, key_size, place);
	free(key);
	if (place)
		return follow(watch, place, pid, ino);
	if (HASH_COUNT(watch->places) >= PATH_WATCH_PATHS_MAX ||
		HASH_COUNT(watch->directories) >= PATH_WATCH_DIRECTORIES_MAX)
		wd = -ENOSPC;
	else
		wd = watch_directory(watch, pid, path, ino, &changed);
	if (wd == -ESRCH || wd == -ENOMEM)
		return wd;
	if (wd < 0)
		watch->n_unwatched++;
	/* Beyond the limit, a path is counted each time, and not stored. */
	if (HASH_COUNT(watch->places) >= PATH_WATCH_PATHS_MAX)
		return wd;
	place = make_place(watch, mnt_ns, path, key_size);
	if (!place)
		return -ENOMEM;
	place->wd = -1;
	if (wd < 0)
		return wd;
	place->ino = ino;
	return attach(watch, place, wd, changed);
}

/* The directory is no longer at its path. */
static void forget(struct path_watch *watch, struct directory *directory)
{
	struct place *place, *next;

	/* Every place is in both lists: the second condition is for the analyzer. */
	for (place = directory->places; place && watch->places; place = next) {
		next = place->next;
		HASH_DEL(watch->places, place);
		free(place);
	}
	HASH_DEL(watch->directories, directory);
	free(directory);
}

static bool has_name(const struct place *place, const char *name)
{
	return !strcmp(strrchr(place->path, '/') + 1, name);
}

static void take(struct path_watch *watch, const struct inotify_event *event)
{
	struct directory *directory;
	struct place *place;

	if (event->mask & IN_Q_OVERFLOW)
		watch->overflow = true;
	HASH_FIND_INT(watch->directories, &event->wd, directory);
	if (!directory)
		return;
	for (place = directory->places; place; place = place->next)
		if (!event->len || has_name(place, event->name))
			place->changed = true;
}

static int notify(struct path_watch *watch, path_changed_fn *fn, void *ctx)
{
	struct place *place, *next;
	int code = 0;

	HASH_ITER (hh, watch->places, place, next) {
		if (code || (!place->changed && !(watch->overflow && place->wd >= 0)))
			continue;
		place->changed = false;
		code = fn(ctx, place->mnt_ns, place->path);
	}
	watch->overflow = false;
	watch->pending = false;
	return code;
}

int path_watch__changed(struct path_watch *watch, path_changed_fn *fn, void *ctx)
{
	char buffer[16384] __attribute__((aligned(__alignof__(struct inotify_event))));
	const struct inotify_event *event;
	struct directory *directory;
	bool any = watch->pending;
	ssize_t size;
	int code;

	while ((size = read(watch->fd, buffer, sizeof(buffer))) > 0) {
		any = true;
		for (const char *at = buffer; at < buffer + size;
			at += sizeof(*event) + event->len) {
			event = (const void *)at;
			take(watch, event);
			if (!(event->mask & (IN_IGNORED | IN_MOVE_SELF)))
				continue;
			/* The directory's paths are reported before they are removed. */
			code = notify(watch, fn, ctx);
			if (code)
				return code;
			if (event->mask & IN_MOVE_SELF)
				inotify_rm_watch(watch->fd, event->wd);
			HASH_FIND_INT(watch->directories, &event->wd, directory);
			if (directory)
				forget(watch, directory);
		}
	}
	if (size < 0 && errno != EAGAIN && errno != EINTR)
		return -errno;
	return any ? notify(watch, fn, ctx) : 0;
}
