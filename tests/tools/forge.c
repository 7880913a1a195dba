// SPDX-License-Identifier: GPL-2.0-only
/*
 * Gives a file the content of another one of the same size in ways that are to be overlooked:
 * forge WAY FILE OTHER. Where the way allows it, FILE has its old times afterwards. OTHER may be
 * changed. Exits with 0 if FILE then has the content of OTHER, with 3 if the kernel refuses the
 * way, or the content is another one.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tests/lib/tool.h"

#define PAGE 4096
#define SIZE_MAX_FILE (1 << 20)

/* fs/ext4/ext4.h */
struct move_extent {
	uint32_t reserved;
	uint32_t donor_fd;
	uint64_t orig_start;
	uint64_t donor_start;
	uint64_t len;
	uint64_t moved_len;
};

#define EXT4_IOC_MOVE_EXT _IOWR('f', 15, struct move_extent)

static const char *file, *other;
static char content[SIZE_MAX_FILE] __attribute__((aligned(PAGE)));
static size_t size; /* of both, of whole pages */

static void refused(const char *what)
{
	printf("%s: %s\n", what, strerror(errno));
	exit(3);
}

static int open_file(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC);

	if (fd < 0)
		fail(path);
	return fd;
}

static void write_to(int fd)
{
	if (pwrite(fd, content, size, 0) != (ssize_t)size)
		fail(file);
}

static void set_clock(const struct timespec *to)
{
	if (clock_settime(CLOCK_REALTIME, to))
		refused("clock_settime");
}

/* Its change time comes again; later than the moment it was, by the clock that does not go back. */
static void by_clock(void)
{
	struct timespec now, begin, end;
	int fd = open_file(file, O_RDWR);
	struct stat st;

	if (fstat(fd, &st))
		fail(file);
	clock_gettime(CLOCK_REALTIME, &now);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	/* Until the next tick, file times are just what is set. */
	set_clock(&st.st_ctim);
	write_to(fd);
	futimens(fd, (const struct timespec[2]){st.st_atim, st.st_mtim});
	close(fd);
	clock_gettime(CLOCK_MONOTONIC, &end);
	now.tv_sec += end.tv_sec - begin.tv_sec;
	set_clock(&now);
}

static void by_clone(void)
{
	int to = open_file(file, O_RDWR), from = open_file(other, O_RDONLY);

	if (ioctl(to, FICLONE, from))
		refused("FICLONE");
	close(from);
	close(to);
}

static void by_direct(void)
{
	int fd = open(file, O_RDWR | O_DIRECT | O_CLOEXEC);

	if (fd < 0)
		refused("O_DIRECT");
	write_to(fd);
	close(fd);
}

/* Both have blocks, which change places: to the kernel FILE gives its own to OTHER. */
static void by_exchange(void)
{
	int to = open_file(file, O_RDWR), from = open_file(other, O_RDWR);
	struct move_extent move = {.donor_fd = to, .len = size / PAGE};

	if (fsync(to) || fsync(from))
		fail("fsync");
	for (unsigned int tries = 0; tries < 100 && move.moved_len < size / PAGE; tries++) {
		posix_fadvise(to, 0, 0, POSIX_FADV_DONTNEED);
		posix_fadvise(from, 0, 0, POSIX_FADV_DONTNEED);
		move.orig_start = move.donor_start = move.moved_len = 0;
		if (ioctl(from, EXT4_IOC_MOVE_EXT, &move) && errno != EBUSY)
			refused("EXT4_IOC_MOVE_EXT");
	}
	close(from);
	close(to);
}

/* The first half of a file twice as large is cut out. */
static void by_collapse(void)
{
	int fd = open_file(file, O_RDWR);

	if (pwrite(fd, content, size, size) != (ssize_t)size)
		fail(file);
	if (fallocate(fd, FALLOC_FL_COLLAPSE_RANGE, 0, size))
		refused("FALLOC_FL_COLLAPSE_RANGE");
	close(fd);
}

static void by_rename(void)
{
	if (renameat2(AT_FDCWD, file, AT_FDCWD, other, RENAME_EXCHANGE))
		refused("RENAME_EXCHANGE");
}

/* Removed, and one made that gets its number. */
static void by_reuse(void)
{
	struct stat before, after;
	int fd, tries;

	if (stat(file, &before))
		fail(file);
	for (tries = 0; tries < 100; tries++) {
		if (unlink(file))
			fail(file);
		fd = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
		if (fd < 0 || fstat(fd, &after))
			fail(file);
		write_to(fd);
		futimens(fd, (const struct timespec[2]){before.st_atim, before.st_mtim});
		close(fd);
		if (after.st_ino == before.st_ino)
			return;
	}
	refused("inode number");
}

/* Where the blocks of FILE are on the device; writes there. */
static void by_beneath(void)
{
	static char bytes[sizeof(struct fiemap) + sizeof(struct fiemap_extent)]
		__attribute__((aligned(8)));
	struct fiemap *map = (struct fiemap *)bytes;
	int fd = open_file(file, O_RDONLY);

	map->fm_length = UINT64_MAX;
	map->fm_flags = FIEMAP_FLAG_SYNC;
	map->fm_extent_count = 1;
	if (ioctl(fd, FS_IOC_FIEMAP, map) || !map->fm_mapped_extents ||
		map->fm_extents[0].fe_logical)
		refused("FS_IOC_FIEMAP");
	close(fd);
	/* What both have behind it is the same. */
	if (size > map->fm_extents[0].fe_length)
		size = map->fm_extents[0].fe_length;
	fd = open_file(other, O_RDWR);
	if (pwrite(fd, content, size, map->fm_extents[0].fe_physical) != (ssize_t)size || fsync(fd))
		fail(other);
	close(fd);
}

static const struct {
	const char *name;
	void (*run)(void);
} WAYS[] = {
	{"clock", by_clock},
	{"clone", by_clone},
	{"direct", by_direct},
	{"exchange", by_exchange},
	{"collapse", by_collapse},
	{"rename", by_rename},
	{"reuse", by_reuse},
	{"beneath", by_beneath},
};

static void read_content(const char *path)
{
	int fd = open_file(path, O_RDONLY);
	ssize_t n = read(fd, content, sizeof(content));

	if (n < PAGE)
		fail(path);
	size = (size_t)n / PAGE * PAGE;
	close(fd);
}

int main(int argc, char **argv)
{
	/* For "beneath" OTHER is the device: then the content comes from a fourth. */
	const char *from = argc == 5 ? argv[4] : argc == 4 ? argv[3] : NULL;

	if (!from) {
		fputs("Usage: forge WAY FILE OTHER [CONTENT]\n", stderr);
		return 2;
	}
	file = argv[2];
	other = argv[3];
	read_content(from);
	for (size_t i = 0; i < sizeof(WAYS) / sizeof(*WAYS); i++)
		if (!strcmp(argv[1], WAYS[i].name)) {
			WAYS[i].run();
			return 0;
		}
	fprintf(stderr, "forge: %s: no such way\n", argv[1]);
	return 2;
}
