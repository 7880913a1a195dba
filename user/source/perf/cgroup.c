// SPDX-License-Identifier: GPL-2.0-only
/* See cgroup.h. */
#include "user/source/perf/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/source/containers/cgroup.h"

/* Finds the mount of the perf_event controller of cgroup v1. */
static bool find_v1(char *ret, size_t size)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent entry;
	char buffer[2 * PATH_MAX];
	bool found = false;

	if (!mounts)
		return false;
	while (!found && getmntent_r(mounts, &entry, buffer, sizeof(buffer))) {
		found = !strcmp(entry.mnt_type, "cgroup") && hasmntopt(&entry, "perf_event");
		if (found)
			snprintf(ret, size, "%s", entry.mnt_dir);
	}
	endmntent(mounts);
	return found;
}

/* Finds the mount of cgroup2, or, if @v1 and it is mounted, of the perf_event controller. */
static int find_mount(char *ret, size_t size, bool v1, struct error *err)
{
	if ((v1 && find_v1(ret, size)) || cgroup_mount__find(ret, size))
		return 0;
	return error__set(
		err, -ENOENT, "no cgroups are mounted (mount -t cgroup2 nodev /sys/fs/cgroup)");
}

static int open_below(const char *name, bool v1, struct error *err)
{
	char mount[PATH_MAX], path[2 * PATH_MAX];
	int fd, r;

	r = find_mount(mount, sizeof(mount), v1, err);
	if (r)
		return r;
	snprintf(path, sizeof(path), "%s/%s", mount, name);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? error__errno(err, -errno, "cgroup %s: %s", name, path) : fd;
}

int perf_cgroup__open(const char *name, struct error *err)
{
	return open_below(name, true, err);
}

int perf_cgroup__id(uint64_t *ret, const char *path, struct error *err)
{
	/* cgroup2's handles have this size: FILEID_KERNFS, the 64-bit inode number. */
	struct {
		struct file_handle handle;
		uint64_t id;
	} handle = {.handle.handle_bytes = sizeof(uint64_t)};
	int fd = open_below(path, false, err), mount_id, r = 0;

	if (fd < 0)
		return fd;
	if (name_to_handle_at(fd, "", &handle.handle, &mount_id, AT_EMPTY_PATH) < 0)
		r = error__errno(err, -errno, "cgroup %s", path);
	else
		memcpy(ret, handle.handle.f_handle, sizeof(*ret));
	close(fd);
	return r;
}
