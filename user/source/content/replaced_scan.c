// SPDX-License-Identifier: GPL-2.0-only
/*
 * replaced_scan: see replaced_scan.h. The result for a file is reused for other processes
 * that map it at the same path in the same mount namespace, because the scan is short.
 */
#include "user/source/content/replaced_scan.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/base/cursor.h"
#include "user/base/hash.h"
#include "user/event/identity.h"
#include "user/source/content/completion.h"
#include "user/source/content/file_identity.h"
#include "user/source/content/path_look.h"
#include "user/source/proc/file.h"
#include "user/source/proc/tasks.h"
#include "user/source/content/same_code.h"

/* No mapping is at this address. It stands for the name by which a process was started. */
#define STARTED_BY_ADDR (UINT64_MAX - 0x1fff)

struct verdict {
	bool stale;
	bool gone;
	struct perfstamp_identity old; /* if the mapping is stale: as far as it is known */
	struct perfstamp_identity now;
	uint64_t since_ns;
	UT_hash_handle hh;
	size_t key_size;
	char key[]; /* namespace, device, inode and path */
};

struct scan {
	const struct replaced_scan_ops *ops;
	struct replaced_scan_counts counts;
	struct verdict *verdicts;
	uint32_t pid; /* the process whose mappings come now; 0: none */
	uint32_t mnt_ns;
	struct event exe; /* the process's first mapping of a file that it was started from */
	char exe_path[PERFSTAMP_PATH_MAX];
};

static uint64_t ns_of(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec;
}

static bool is_one_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/*
 * Whether the mounts of @pid include the mount through which @fd was opened. If they do not (it is
 * of another namespace, or was unmounted), its path says nothing about this process.
 */
static bool is_mounted(pid_t pid, int fd)
{
	uint64_t number;
	struct statx stx;
	char *text, *line, *save;
	bool found = false;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &stx) || !(stx.stx_mask & STATX_MNT_ID))
		return true; /* not known */
	if (proc_file__read(&text, NULL, "/proc/%d/mountinfo", pid))
		return false;
	for (line = strtok_r(text, "\n", &save); line && !found;
		line = strtok_r(NULL, "\n", &save)) {
		number = strtoull(line, NULL, 10);
		found = number == stx.stx_mnt_id;
	}
	free(text);
	return found;
}

/* Reads both identities and compares the code. Returns -errno if a file cannot be read. */
static int compare(int mapped, int given, struct verdict *ret)
{
	struct perfstamp_identity *old = &ret->old, *now = &ret->now;
	int code = file_identity__read(mapped, PERFSTAMP_SOURCE_USER, old);

	if (!code)
		code = file_identity__read(given, PERFSTAMP_SOURCE_USER, now);
	if (code)
		return code;
	if (!identity__same_build_id(old, now)) {
		ret->stale = true;
		return 0;
	}
	/*
	 * A build-id does not prove equality: different programs can share one, and so can
	 * stripped copies.
	 */
	code = same_code__files(mapped, given);
	ret->stale = !code;
	return code < 0 ? code : 0;
}

/* map_files may lead to the copy that an overlay made of the mapped file. */
static int compare_memory(const struct event *map, int given, struct verdict *ret)
{
	struct completion_mapping mapping = {
		.pid = map->pid, .addr = map->map.addr, .len = map->map.len};
	struct perfstamp_identity identity = {0};
	uint64_t alive_ns;
	int code = completion__read(&mapping, &identity, &alive_ns);

	if (code != -ESRCH)
		return 0;
	code = same_code__memory(map->pid, map->map.addr, map->map.len, given, map->map.pgoff);
	if (code)
		return code < 0 ? code : 0;
	ret->stale = true;
	ret->old.reason = PERFSTAMP_REASON_LOOKUP_FAILED;
	return file_identity__read(given, PERFSTAMP_SOURCE_USER, &ret->now);
}

static bool is_elf(int fd)
{
	char magic[SELFMAG];

	return pread(fd, magic, sizeof(magic), 0) == sizeof(magic) &&
	       !memcmp(magic, ELFMAG, SELFMAG);
}

/* Compares the file currently at the path of @map with the mapped file. Returns 0 or -errno. */
static int judge(const struct event *map, int mapped, struct verdict *ret)
{
	bool deleted = map->map.flags & PERFSTAMP_MAP_DELETED;
	int given = path_look__open(map->pid, map->map.path), code = 0;
	struct stat st_mapped = {0}, st_given = {0};

	if (given == -ENOENT) {
		if (!is_elf(mapped))
			return 0;
		if (!deleted && !is_mounted(map->pid, mapped))
			return -EXDEV;
		ret->stale = ret->gone = true;
		ret->since_ns = path_look__directory_ns(map->pid, map->map.path);
		return file_identity__read(mapped, PERFSTAMP_SOURCE_USER, &ret->old);
	}
	if (given < 0)
		return given;
	if (fstat(mapped, &st_mapped) || fstat(given, &st_given))
		code = -errno;
	else if (is_one_file(&st_mapped, &st_given))
		code = compare_memory(map, given, ret);
	else if (!is_elf(mapped))
		code = 0;
	else if (!deleted && !is_mounted(map->pid, mapped))
		code = -EXDEV;
	else
		code = compare(mapped, given, ret);
	if (!code && ret->stale)
		ret->since_ns = ns_of(&st_given.st_ctim);
	close(given);
	return code;
}

static int open_mapped(const struct event *map)
{
	char path[96];
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, map->pid,
		map->map.addr, map->map.addr + map->map.len);
	if (stat(path, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static struct verdict *find_verdict(struct scan *scan, const struct event *map, bool *ret_new)
{
	const struct perfstamp_identity *identity = &map->map.identity;
	char key[PERFSTAMP_PATH_MAX + 96];
	struct verdict *verdict;
	size_t size;

	size = snprintf(key, sizeof(key), "%" PRIu32 " %" PRIu32 ":%" PRIu32 " %" PRIu64 " %s",
		scan->mnt_ns, identity->dev_major, identity->dev_minor, (uint64_t)identity->ino,
		map->map.path);
	HASH_FIND(hh, scan->verdicts, key, size, verdict);
	*ret_new = !verdict;
	if (verdict)
		return verdict;
	verdict = calloc(1, sizeof(*verdict) + size);
	if (!verdict)
		return NULL;
	memcpy(verdict->key, key, size);
	HASH_ADD_KEYPTR(hh, scan->verdicts, verdict->key, size, verdict);
	if (hash__added(verdict))
		return verdict;
	free(verdict);
	return NULL;
}

static int report_stale(struct scan *scan, const struct event *map, const struct verdict *verdict)
{
	const struct stale_mapping stale = {
		.pid = map->pid,
		.addr = map->map.addr,
		.mnt_ns = scan->mnt_ns,
		.path = map->map.path,
		.gone = verdict->gone,
		.now = verdict->now,
		.since_ns = verdict->since_ns,
	};

	return scan->ops->stale(scan->ops->ctx, &stale);
}

static void take_identity(struct perfstamp_identity *ret, const struct perfstamp_identity *from)
{
	ret->build_id_size = from->build_id_size;
	memcpy(ret->build_id, from->build_id, sizeof(ret->build_id));
	ret->cookie_size = from->cookie_size;
	memcpy(ret->cookie, from->cookie, sizeof(ret->cookie));
	ret->source = from->source;
	ret->reason = from->reason;
	ret->file_size = from->file_size;
}

static int on_map(struct scan *scan, const struct event *event)
{
	struct verdict *verdict;
	struct event map = *event;
	bool is_new;
	int code, fd;

	map.map.identity.mnt_ns = scan->mnt_ns;
	if (map.map.path[0] != '/' || !map.map.identity.ino)
		return scan->ops->event(scan->ops->ctx, &map);
	if (!scan->exe.pid) {
		scan->exe = map;
		snprintf(scan->exe_path, sizeof(scan->exe_path), "%s", map.map.path);
	}
	verdict = find_verdict(scan, &map, &is_new);
	if (!verdict)
		return -ENOMEM;
	if (is_new) {
		scan->counts.looked++;
		fd = open_mapped(&map);
		code = fd < 0 ? fd : judge(&map, fd, verdict);
		if (fd >= 0)
			close(fd);
		/* A mapping that was removed meanwhile is not counted. */
		if (code && code != -ENOENT && code != -ESRCH && code != -EINVAL)
			scan->counts.unknown++;
		if (code) {
			HASH_DEL(scan->verdicts, verdict);
			free(verdict);
			return scan->ops->event(scan->ops->ctx, &map);
		}
	}
	/*
	 * The file at the path was examined, so it does not matter that the mapped file was
	 * deleted.
	 */
	map.map.flags &= ~PERFSTAMP_MAP_DELETED;
	if (verdict->stale)
		take_identity(&map.map.identity, &verdict->old);
	code = scan->ops->event(scan->ops->ctx, &map);
	return code || !verdict->stale ? code : report_stale(scan, &map, verdict);
}

static bool is_64_bit(pid_t pid)
{
	unsigned char ident[EI_NIDENT] = "";
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return true;
	if (pread(fd, ident, sizeof(ident), 0) < 0)
		ident[EI_CLASS] = ELFCLASSNONE;
	close(fd);
	return ident[EI_CLASS] != ELFCLASS32;
}

/* The words in /proc/PID/auxv are those of the program. Returns 0 if there is no such entry. */
static uint64_t find_execfn(const char *auxv, size_t size, bool is_64)
{
	uint64_t type, value;
	struct cursor in;

	cursor__init(&in, auxv, size, false);
	for (;;) {
		type = is_64 ? cursor__u64(&in) : cursor__u32(&in);
		value = is_64 ? cursor__u64(&in) : cursor__u32(&in);
		if (in.failed || type == AT_NULL)
			return 0;
		if (type == AT_EXECFN)
			return value;
	}
}

/*
 * Reads the name that was passed to exec, which the kernel keeps for the process. Returns 0 or
 * -errno.
 */
static int read_started_by(pid_t pid, char ret[PERFSTAMP_PATH_MAX])
{
	uint64_t addr;
	char *auxv, path[32];
	size_t size;
	ssize_t n;
	int fd, code = proc_file__read(&auxv, &size, "/proc/%d/auxv", pid);

	if (code)
		return code;
	addr = find_execfn(auxv, size, is_64_bit(pid));
	free(auxv);
	if (!addr)
		return -ENODATA;
	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = pread(fd, ret, PERFSTAMP_PATH_MAX - 1, (off_t)addr);
	if (n < 0 && errno == EIO) /* the stack ends sooner */
		n = pread(fd, ret, 4096 - addr % 4096, (off_t)addr);
	close(fd);
	if (n <= 0)
		return -EIO;
	ret[n < PERFSTAMP_PATH_MAX ? n : PERFSTAMP_PATH_MAX - 1] = '\0';
	return 0;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/*
 * A deploy that changes a symbolic link does not move the old file. Then the name by which
 * the process was started is used, if it still leads to a file of that name.
 */
static int look_at_start(struct scan *scan)
{
	struct verdict verdict = {0};
	struct event map = scan->exe;
	char path[PERFSTAMP_PATH_MAX] = "";
	struct stat st_mapped = {0}, st_given = {0};
	int given, mapped, code = 0;

	if (!map.pid || read_started_by(map.pid, path) || path[0] != '/' ||
		!strcmp(path, scan->exe_path) ||
		strcmp(base_name(path), base_name(scan->exe_path)) != 0)
		return 0;
	given = path_look__open_own(map.pid, path);
	mapped = open_mapped(&map);
	if (given >= 0 && mapped >= 0 && !fstat(given, &st_given) && !fstat(mapped, &st_mapped) &&
		!is_one_file(&st_given, &st_mapped) && is_elf(given) && is_elf(mapped) &&
		!compare(mapped, given, &verdict) && verdict.stale) {
		verdict.since_ns = ns_of(&st_given.st_ctim);
		map.map.path = path;
		map.map.addr = STARTED_BY_ADDR;
		map.map.len = 0x1000;
		map.map.flags = PERFSTAMP_MAP_SNAPSHOT;
		take_identity(&map.map.identity, &verdict.old);
		code = scan->ops->event(scan->ops->ctx, &map);
		if (!code)
			code = report_stale(scan, &map, &verdict);
	}
	if (given >= 0)
		close(given);
	if (mapped >= 0)
		close(mapped);
	return code;
}

static int on_event(void *ctx, const struct event *event)
{
	struct scan *scan = ctx;
	char path[32];
	struct stat st;
	int code = 0;

	if (event->pid != scan->pid) {
		code = look_at_start(scan);
		scan->pid = event->pid;
		scan->exe.pid = 0;
		snprintf(path, sizeof(path), "/proc/%d/ns/mnt", event->pid);
		scan->mnt_ns = stat(path, &st) ? 0 : st.st_ino;
	}
	if (code)
		return code;
	return event->kind == EVENT_MAP ? on_map(scan, event)
					: scan->ops->event(scan->ops->ctx, event);
}

int replaced_scan__run(const pid_t *pids, size_t n_pids, const struct replaced_scan_ops *ops,
	struct replaced_scan_counts *ret_counts, struct error *err)
{
	struct scan *scan = calloc(1, sizeof(*scan));
	struct proc_tasks_counts counts;
	int code;

	if (!scan)
		return error__errno(err, -ENOMEM, "processes");
	scan->ops = ops;
	code = proc_tasks__synthesize(pids, n_pids, on_event, NULL, scan, &counts, err);
	if (!code)
		code = look_at_start(scan);
	scan->counts.processes = counts.processes;
	scan->counts.denied = counts.denied;
	*ret_counts = scan->counts;
	hash__free(scan->verdicts);
	free(scan);
	return code;
}
