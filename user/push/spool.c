// SPDX-License-Identifier: GPL-2.0-only
/*
 * See spool.h. Each change appends a line: STATE INODE SIZE MTIME NAME. The last line of a file
 * counts. When most lines are outdated, a new file is written next to the old one, and renamed over
 * it. A killed writer may leave an incomplete last line.
 */
#include "user/push/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "user/base/buffer.h"
#include "user/base/text.h"
#include "user/io/whole.h"
#include "user/base/hash.h"

#define LINES_MAX 4096 /* lines before outdated ones are removed */

struct spool_key {
	uint64_t inode;
	uint64_t size;
	int64_t mtime_ns;
};

struct spool_entry {
	struct spool_key key;
	enum spool_state state;
	bool there;
	char *name; /* escaped */
	UT_hash_handle hh;
};

struct spool {
	char *path;
	int fd; /* positioned at its end; locked */
	struct spool_entry *by_key;
	size_t n_lines;
	uint64_t missed;
	bool behind; /* a line was not written, or not completely */
};

static const char *const STATES[] = {"unknown", "seen", "sent", "refused"};

static struct spool_key key_of(const struct stat *st)
{
	struct spool_key key;

	memset(&key, 0, sizeof(key));
	key.inode = st->st_ino;
	key.size = st->st_size;
	key.mtime_ns = st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
	return key;
}

static struct spool_entry *find(const struct spool *spool, const struct stat *st)
{
	struct spool_key key = key_of(st);
	struct spool_entry *entry;

	HASH_FIND(hh, spool->by_key, &key, sizeof(key), entry);
	return entry;
}

static void forget(struct spool *spool, struct spool_entry *entry)
{
	HASH_DEL(spool->by_key, entry);
	free(entry->name);
	free(entry);
}

/* Returns 0 or -ENOMEM. */
static int remember(
	struct spool *spool, const struct spool_key *key, enum spool_state state, const char *name)
{
	struct spool_entry *entry;

	HASH_FIND(hh, spool->by_key, key, sizeof(*key), entry);
	if (entry) {
		entry->state = state;
		return 0;
	}
	entry = calloc(1, sizeof(*entry));
	if (!entry)
		return -ENOMEM;
	entry->key = *key;
	entry->state = state;
	entry->there = true;
	entry->name = strdup(name);
	if (entry->name)
		HASH_ADD(hh, spool->by_key, key, sizeof(entry->key), entry);
	if (!entry->name || !hash__added(entry)) {
		free(entry->name);
		free(entry);
		return -ENOMEM;
	}
	return 0;
}

static void write_entry(
	struct buffer *out, const struct spool_key *key, enum spool_state state, const char *name)
{
	buffer__printf(out, "%s %" PRIu64 " %" PRIu64 " %" PRId64 " %s\n", STATES[state],
		key->inode, key->size, key->mtime_ns, name);
}

/* Invalid lines are ignored. */
static int read_line(struct spool *spool, const char *line)
{
	struct spool_key key;
	char state[16];
	int at = 0;

	memset(&key, 0, sizeof(key));
	if (sscanf(line, "missed %" SCNu64, &key.size) == 1) {
		spool->missed = key.size;
		return 0;
	}
	if (sscanf(line, "%15s %" SCNu64 " %" SCNu64 " %" SCNd64 " %n", state, &key.inode,
		    &key.size, &key.mtime_ns, &at) != 4 ||
		!at)
		return 0;
	for (int i = SPOOL_SEEN; i <= SPOOL_REFUSED; i++)
		if (!strcmp(state, STATES[i]))
			return remember(spool, &key, i, line + at);
	return 0;
}

static int read_lines(struct spool *spool, struct error *err)
{
	FILE *in = fopen(spool->path, "re");
	char *line = NULL;
	size_t room = 0;
	ssize_t n;
	int code = 0;

	if (!in)
		return error__errno(err, -errno, "%s", spool->path);
	while (!code && (n = getline(&line, &room, in)) > 0) {
		if (line[n - 1] != '\n')
			break;
		line[n - 1] = '\0';
		spool->n_lines++;
		code = read_line(spool, line);
	}
	if (ferror(in))
		code = -EIO;
	free(line);
	fclose(in);
	return code ? error__errno(err, code, "%s", spool->path) : 0;
}

/* Opens and locks the file, and checks that it is still at the path. */
static int open_locked(struct spool *spool, struct error *err)
{
	struct stat st, now;

	for (;;) {
		spool->fd = open(
			spool->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
		if (spool->fd < 0)
			return error__errno(err, -errno, "%s", spool->path);
		if (flock(spool->fd, LOCK_EX | LOCK_NB) < 0)
			return errno == EWOULDBLOCK
				       ? error__set(err, -EBUSY,
						 "%s: another perfstamp push uses it: one process "
						 "sends to a receiver, or give --state",
						 spool->path)
				       : error__errno(err, -errno, "%s", spool->path);
		if (!fstat(spool->fd, &st) && !stat(spool->path, &now) && st.st_ino == now.st_ino)
			return 0;
		close(spool->fd);
	}
}

static int write_anew(struct spool *spool, struct error *err)
{
	struct spool_entry *entry, *next;
	char *name = NULL;
	struct buffer text;
	int fd = -1, code;

	buffer__init(&text, 0);
	spool->n_lines = 1;
	buffer__printf(&text, "missed %" PRIu64 "\n", spool->missed);
	HASH_ITER (hh, spool->by_key, entry, next) {
		write_entry(&text, &entry->key, entry->state, entry->name);
		spool->n_lines++;
	}
	code = text.error;
	if (!code && asprintf(&name, "%s.new", spool->path) < 0)
		code = -ENOMEM;
	if (!code) {
		fd = open(
			name, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
		code = fd < 0 ? -errno : whole__write(fd, text.data, text.size);
	}
	if (!code && (fsync(fd) < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0 ||
			     rename(name, spool->path) < 0))
		code = -errno;
	if (code && fd >= 0)
		close(fd);
	if (!code) {
		close(spool->fd);
		spool->fd = fd;
		spool->behind = false;
	}
	free(name);
	buffer__free(&text);
	return code ? error__errno(err, code, "%s", spool->path) : 0;
}

static int make_directory(const char *path)
{
	char *copy = strdup(path);
	int code = copy ? 0 : -ENOMEM;

	for (char *at = copy ? strchr(copy + 1, '/') : NULL; at && !code;
		at = strchr(at + 1, '/')) {
		*at = '\0';
		if (mkdir(copy, 0700) < 0 && errno != EEXIST)
			code = -errno;
		*at = '/';
	}
	free(copy);
	return code;
}

int spool__open(struct spool **ret, const char *path, struct error *err)
{
	struct spool *spool = calloc(1, sizeof(*spool));
	int code;

	*ret = NULL;
	if (!spool)
		return error__set(err, -ENOMEM, "out of memory");
	spool->fd = -1;
	spool->path = strdup(path);
	code = spool->path ? make_directory(path) : -ENOMEM;
	if (code)
		error__errno(err, code, "%s", path);
	if (!code)
		code = open_locked(spool, err);
	if (!code)
		code = read_lines(spool, err);
	if (!code)
		code = write_anew(spool, err);
	if (code) {
		spool__free(spool);
		return code;
	}
	*ret = spool;
	return 0;
}

void spool__free(struct spool *spool)
{
	struct spool_entry *entry, *next;

	if (!spool)
		return;
	HASH_ITER (hh, spool->by_key, entry, next)
		forget(spool, entry);
	if (spool->fd >= 0)
		close(spool->fd);
	free(spool->path);
	free(spool);
}

enum spool_state spool__state(const struct spool *spool, const struct stat *st)
{
	const struct spool_entry *entry = find(spool, st);

	return entry ? entry->state : SPOOL_UNKNOWN;
}

static int append(struct spool *spool, const struct buffer *line, bool sync, struct error *err)
{
	int code = line->error ? line->error : whole__write(spool->fd, line->data, line->size);

	if (!code && sync && fdatasync(spool->fd) < 0)
		code = -errno;
	if (code) {
		spool->behind = true;
		return error__errno(err, code, "%s", spool->path);
	}
	spool->n_lines++;
	return spool->n_lines > LINES_MAX + (size_t)2 * HASH_COUNT(spool->by_key)
		       ? write_anew(spool, err)
		       : 0;
}

int spool__set(struct spool *spool, const struct stat *st, const char *name, enum spool_state state,
	struct error *err)
{
	struct spool_key key = key_of(st);
	size_t size = text__escape(NULL, 0, name) + 1;
	char *escaped = malloc(size);
	struct buffer line;
	int code;

	buffer__init(&line, 0);
	code = escaped ? 0 : -ENOMEM;
	if (!code) {
		text__escape(escaped, size, name);
		code = remember(spool, &key, state, escaped);
	}
	if (!code) {
		write_entry(&line, &key, state, escaped);
		code = append(spool, &line, state != SPOOL_SEEN, err);
	} else {
		error__set(err, code, "out of memory");
	}
	buffer__free(&line);
	free(escaped);
	return code;
}

void spool__begin_look(struct spool *spool)
{
	struct spool_entry *entry, *next;

	HASH_ITER (hh, spool->by_key, entry, next)
		entry->there = false;
}

void spool__is_there(struct spool *spool, const struct stat *st)
{
	struct spool_entry *entry = find(spool, st);

	if (entry)
		entry->there = true;
}

int64_t spool__end_look(struct spool *spool, struct error *err)
{
	struct spool_entry *entry, *next;
	int64_t missed = 0;
	int code;

	HASH_ITER (hh, spool->by_key, entry, next) {
		if (entry->there)
			continue;
		missed += entry->state == SPOOL_SEEN;
		forget(spool, entry);
	}
	spool->missed += missed;
	/* A removed file whose line remains would be counted again by the next process. */
	spool->behind |= missed != 0;
	code = spool->behind ? write_anew(spool, err) : 0;
	return code ? code : missed;
}

uint64_t spool__missed(const struct spool *spool)
{
	return spool->missed;
}
