// SPDX-License-Identifier: GPL-2.0-only
/* See completion.h. */
#include "user/source/content/completion.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "user/event/identity.h"
#include "user/event/witness.h"
#include "user/parse/maps.h"
#include "user/source/machine/clock.h"
#include "user/source/content/file_identity.h"
#include "user/source/content/running.h"
#include "user/source/proc/file.h"
#include "user/source/proc/stat.h"

#define VDSO_SIZE_MAX (64u << 10)
#define NS_PER_S 1000000000ll
/* A ctime may be this much late, or a process's start time this much early. */
#define COARSE_NS 20000000ll

bool completion__is_wanted(const struct perfstamp_identity *identity)
{
	return !identity->build_id_size && (identity->reason == PERFSTAMP_REASON_NOT_RESIDENT ||
						   identity->reason == PERFSTAMP_REASON_IO_ERROR ||
						   identity->reason == PERFSTAMP_REASON_LIMIT ||
						   identity->reason == PERFSTAMP_REASON_UNKNOWN);
}

/*
 * Whether the times are those that the kernel side read from the mapped inode. An overlay
 * shows the times of the real inode.
 */
static bool has_times(const struct stat *st, const struct perfstamp_witness *witness)
{
	return witness->flags & PERFSTAMP_WITNESS_TAKEN &&
	       (uint64_t)st->st_mtim.tv_sec == witness->mtime_sec &&
	       (uint64_t)st->st_ctim.tv_sec == witness->ctime_sec &&
	       (uint32_t)st->st_mtim.tv_nsec == witness->mtime_nsec &&
	       (uint32_t)st->st_ctim.tv_nsec == witness->ctime_nsec;
}

/*
 * Compares only the low bits. An overlay with xino= puts the layer into the high bits of what stat
 * returns, and the record has the inode of the layer itself.
 */
static bool has_number(const struct stat *st, const struct perfstamp_identity *identity)
{
	return !identity->ino || (uint32_t)st->st_ino == (uint32_t)identity->ino;
}

/* For a file that an overlay copied up, stat returns the inode number of the lower layer. */
static bool is_same_file(const struct stat *st, const struct perfstamp_identity *identity,
	const struct perfstamp_witness *witness)
{
	return S_ISREG(st->st_mode) && (has_number(st, identity) || has_times(st, witness)) &&
	       (!identity->file_size || (uint64_t)st->st_size == identity->file_size);
}

/* Distinguishes files that had the same inode number one after another, on ext4 and others. */
static bool is_same_generation(int fd, const struct perfstamp_identity *identity)
{
	int generation;

	return !identity->ino_generation || ioctl(fd, FS_IOC_GETVERSION, &generation) < 0 ||
	       (uint32_t)generation == (uint32_t)identity->ino_generation;
}

/*
 * Whether the device is the record's. The kernel side reads the device of the super block, and stat
 * returns the same one. The exceptions are the file systems listed here: they give a device number
 * of its own to each subvolume, layer or snapshot.
 */
static bool is_same_device(int fd, const struct stat *st, const struct perfstamp_identity *identity)
{
	struct statfs fs;

	if (!identity->dev_major && !identity->dev_minor)
		return true;
	if (major(st->st_dev) == identity->dev_major && minor(st->st_dev) == identity->dev_minor)
		return true;
	return !fstatfs(fd, &fs) &&
	       (fs.f_type == BTRFS_SUPER_MAGIC || fs.f_type == OVERLAYFS_SUPER_MAGIC ||
		       fs.f_type == CEPH_SUPER_MAGIC);
}

static int64_t to_ns(const struct timespec *time)
{
	return time->tv_sec * NS_PER_S + time->tv_nsec;
}

static int64_t now_ns(int clockid)
{
	struct timespec now;

	/* Our own time namespace, because /proc shows times of it, too. */
	clock_gettime(clockid, &now);
	return to_ns(&now);
}

/* Start time of process @pid by CLOCK_REALTIME, accurate to a tick; 0 if it is not known. */
static int64_t begin_of(pid_t pid)
{
	struct task_stat stat;
	int64_t ticks_ns = NS_PER_S / sysconf(_SC_CLK_TCK);

	if (proc_stat__read(&stat, pid, 0))
		return 0;
	return now_ns(CLOCK_REALTIME) - now_ns(CLOCK_BOOTTIME) +
	       (int64_t)stat.start_ticks * ticks_ns;
}

/*
 * Whether a file of an overlay may have been copied up since @pid mapped it. Then the mapping still
 * has the file of the lower layer, but map_files may lead to the file of the upper layer, and the
 * overlay gives both the same inode number. The copy is a new file with a new ctime. So a file is
 * not a copy if its ctime is before the start of the process, or is that of the mapped inode.
 */
static bool may_be_copied_up(
	const struct stat *st, pid_t pid, const struct perfstamp_witness *witness)
{
	return !has_times(st, witness) && to_ns(&st->st_ctim) + COARSE_NS >= begin_of(pid);
}

/* Checks that the opened file is that of the record. Returns 0, or -ENOENT if it is not. */
static int check_file(int fd, const struct completion_mapping *mapping,
	const struct perfstamp_identity *identity, struct stat *ret)
{
	struct statfs fs = {0};
	bool known, overlay;

	if (fstat(fd, ret) < 0)
		return -errno;
	if (!is_same_file(ret, identity, &mapping->witness) || !is_same_device(fd, ret, identity) ||
		!is_same_generation(fd, identity))
		return -ENOENT;
	known = !fstatfs(fd, &fs);
	overlay = known && fs.f_type == OVERLAYFS_SUPER_MAGIC;
	if (!has_number(ret, identity) && !overlay)
		return -ENOENT;
	/* A file system of unknown type may be an overlay, too. */
	return (overlay || !known) && may_be_copied_up(ret, mapping->pid, &mapping->witness)
		       ? -ENOENT
		       : 0;
}

#define MAP_FILE_SIZE 96

static const char *map_file_path(char ret[MAP_FILE_SIZE], const struct completion_mapping *mapping)
{
	snprintf(ret, MAP_FILE_SIZE, "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, mapping->pid,
		mapping->addr, mapping->addr + mapping->len);
	return ret;
}

/* The mapping, as a thread of the process that has memory shows it. */
static struct completion_mapping by_living_thread(const struct completion_mapping *mapping)
{
	struct completion_mapping ret = *mapping;

	ret.pid = proc_stat__living_thread(mapping->pid);
	return ret;
}

static int open_mapped(const struct completion_mapping *mapping,
	const struct perfstamp_identity *identity, struct stat *ret)
{
	char path[MAP_FILE_SIZE];
	int fd, code = 0;

	/* Checked before it is opened, because opening a device may have effects. */
	if (stat(map_file_path(path, mapping), ret) < 0)
		code = -errno;
	else if (!is_same_file(ret, identity, &mapping->witness))
		code = -ENOENT;
	fd = code ? code : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (!code && fd < 0)
		code = -errno;
	if (!code) {
		code = check_file(fd, mapping, identity, ret);
		if (code)
			close(fd);
	}
	if (code == -ENOENT || code == -ESRCH)
		return -ESRCH;
	if (code)
		return code == -EACCES ? -EPERM : code;
	return fd;
}

int completion__open(const struct completion_mapping *mapping,
	const struct perfstamp_identity *identity, struct stat *ret)
{
	const struct completion_mapping living = by_living_thread(mapping);

	return open_mapped(&living, identity, ret);
}

/* Decides by one time of the file, if its times at the mapping are not known. */
static enum witnessed judge_time(const struct timespec *time, int64_t mapped_ns, int64_t now)
{
	int64_t time_ns = to_ns(time);

	/* A time in the future means that the clock was set back. */
	if (time_ns > now || witness__last_write(time->tv_sec, time->tv_nsec) < mapped_ns)
		return WITNESSED_UNWRITTEN;
	return time_ns > mapped_ns ? WITNESSED_WRITTEN : WITNESSED_DOUBT;
}

/* Unlinking a file changes its ctime, but not its content. */
static enum witnessed judge_times(const struct stat *st, int64_t mapped_ns)
{
	int64_t now = now_ns(CLOCK_REALTIME);
	enum witnessed modified = judge_time(&st->st_mtim, mapped_ns, now);
	enum witnessed changed = st->st_nlink ? judge_time(&st->st_ctim, mapped_ns, now)
					      : WITNESSED_UNWRITTEN;

	return modified > changed ? modified : changed;
}

enum witnessed completion__judge_times(
	const struct stat *st, const struct perfstamp_witness *mapped)
{
	const struct perfstamp_witness later = {
		.mtime_sec = st->st_mtim.tv_sec,
		.mtime_nsec = st->st_mtim.tv_nsec,
		.ctime_sec = st->st_ctim.tv_sec,
		.ctime_nsec = st->st_ctim.tv_nsec,
	};
	struct witness_clock clock = {clock__coarse_offset(), now_ns(CLOCK_REALTIME)};

	return witness__compare(mapped, &later, !st->st_nlink, &clock);
}

/*
 * Checks that the file was not written to since it was mapped. Returns 0, or -ESTALE if it was or
 * may have been. In doubt, only a running program is known to be unchanged.
 */
static int check_times(int fd, const struct completion_mapping *mapping, bool has_cookie)
{
	struct perfstamp_witness witness = mapping->witness;
	enum witnessed written;
	struct stat st;

	if (!mapping->mapped_ns)
		return 0;
	if (fstat(fd, &st) < 0)
		return -errno;
	/*
	 * When the cookie was made, several readings of the first page were equal. This reading
	 * must be equal to them.
	 */
	if (has_cookie)
		witness.flags &= ~PERFSTAMP_WITNESS_WRITABLE;
	written = witness.flags & PERFSTAMP_WITNESS_TAKEN ? completion__judge_times(&st, &witness)
							  : judge_times(&st, mapping->mapped_ns);
	if (written == WITNESSED_DOUBT && running__proves_unwritten(mapping->pid, fd))
		written = WITNESSED_UNWRITTEN;
	return written == WITNESSED_UNWRITTEN ? 0 : -ESTALE;
}

static int read_image(pid_t pid, uint64_t addr, uint64_t len, struct perfstamp_identity *identity)
{
	char path[32], *image;
	int fd, code = 0;
	ssize_t n;
	Elf *elf;

	if (len > VDSO_SIZE_MAX)
		return -EFBIG;
	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? -ESRCH : -errno;
	image = malloc(len);
	if (!image) {
		close(fd);
		return -ENOMEM;
	}
	n = pread(fd, image, len, addr);
	if (n < 0)
		code = -errno;
	else if ((uint64_t)n != len)
		code = -ESRCH;
	close(fd);
	if (code)
		goto cleanup;
	elf = elf_version(EV_CURRENT) == EV_NONE ? NULL : elf_memory(image, len);
	if (!elf) {
		code = -EIO;
		goto cleanup;
	}
	file_identity__read_elf(elf, len, identity);
	elf_end(elf);
	if (identity->build_id_size)
		identity->source = PERFSTAMP_SOURCE_KERNEL;
cleanup:
	free(image);
	return code;
}

static bool has_vdso_at(pid_t pid, uint64_t addr, uint64_t len)
{
	struct map_line *line;
	const char *cursor;
	bool found = false;
	size_t size;
	char *maps;

	line = malloc(sizeof(*line));
	if (!line || proc_file__read(&maps, &size, "/proc/%d/maps", pid)) {
		free(line);
		return false;
	}
	cursor = maps;
	while (!found && map_line__next(&cursor, maps + size, line))
		found = line->start == addr && line->end == addr + len &&
			!strcmp(line->path, "[vdso]");
	free(maps);
	free(line);
	return found;
}

/* Completes the vDSO of a process, as completion__read() does. */
static int read_vdso(const struct completion_mapping *mapping, struct perfstamp_identity *identity,
	uint64_t *ret_alive_ns)
{
	struct perfstamp_identity found = *identity;
	int code = read_image(mapping->pid, mapping->addr, mapping->len, &found);
	uint64_t looked_ns = clock__now(CLOCK_MONOTONIC);

	/* Checked after reading, to prove that the bytes were the vDSO's. */
	if (!code && !has_vdso_at(mapping->pid, mapping->addr, mapping->len))
		code = -ESRCH;
	if (code)
		return code;
	*identity = found;
	*ret_alive_ns = looked_ns;
	return 0;
}

int completion__read(const struct completion_mapping *mapping, struct perfstamp_identity *identity,
	uint64_t *ret_alive_ns)
{
	const struct completion_mapping living = by_living_thread(mapping);
	struct perfstamp_identity found = *identity;
	struct stat st, again;
	char path[MAP_FILE_SIZE];
	uint64_t looked_ns;
	int fd, code;

	*ret_alive_ns = 0;
	if (living.vdso)
		return read_vdso(&living, identity, ret_alive_ns);
	fd = open_mapped(&living, identity, &st);
	code = fd < 0 ? fd : file_identity__read_with_cookie(fd, PERFSTAMP_SOURCE_USER, &found);
	/* The times are read after the content: any write before that has set them. */
	if (!code)
		code = check_times(fd, &living, identity->cookie_size);
	if (!code && identity->cookie_size && !identity__same_cookie(identity, &found))
		code = -ESTALE;
	if (fd >= 0)
		close(fd);
	if (code == -ESRCH)
		identity->reason = PERFSTAMP_REASON_LOOKUP_FAILED;
	if (code == -ESTALE)
		identity->reason = PERFSTAMP_REASON_CHANGING;
	if (code)
		return code;
	*identity = found;
	looked_ns = clock__now(CLOCK_MONOTONIC);
	if (!stat(map_file_path(path, &living), &again) && again.st_dev == st.st_dev &&
		again.st_ino == st.st_ino)
		*ret_alive_ns = looked_ns;
	return 0;
}

bool completion__shares_vdso(uint64_t addr)
{
#if defined(__x86_64__) || defined(__aarch64__)
	/* 64-bit processes have their vDSO above 4 GiB, 32-bit and x32 ones below. */
	return addr > UINT32_MAX;
#else
	(void)addr;
	return false;
#endif
}

int completion__read_own_vdso(uint64_t len, struct perfstamp_identity *identity)
{
	uint64_t addr = getauxval(AT_SYSINFO_EHDR);

	return addr ? read_image(getpid(), addr, len, identity) : -ENOENT;
}

int completion__map_vdso(void **ret, size_t *ret_size)
{
	uint64_t addr = getauxval(AT_SYSINFO_EHDR);
	struct map_line *line = malloc(sizeof(*line));
	const char *cursor;
	size_t size;
	char *maps;
	int code;

	*ret = NULL;
	code = line ? proc_file__read(&maps, &size, "/proc/self/maps") : -ENOMEM;
	if (code) {
		free(line);
		return code;
	}
	cursor = maps;
	code = -ENOENT;
	while (code == -ENOENT && map_line__next(&cursor, maps + size, line)) {
		if (!addr || line->start != addr)
			continue;
		*ret_size = line->end - line->start;
		*ret = malloc(*ret_size);
		code = *ret ? 0 : -ENOMEM;
	}
	if (!code)
		memcpy(*ret, (const void *)(uintptr_t)addr, *ret_size);
	free(maps);
	free(line);
	return code;
}
