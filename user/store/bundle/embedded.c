// SPDX-License-Identifier: GPL-2.0-only
/* See embedded.h; docs/format.md has the bytes. */
#include "user/store/bundle/embedded.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/io/regular.h"
#include "user/io/whole.h"
#include "user/store/files/copy.h"
#include "user/store/files/inside.h"
#include "user/store/files/temporary.h"

static const char MAGIC[8] = {'P', 'S', 'T', 'B', 'N', 'D', 'L', '1'};

/* Little-endian, whatever the byte order of the recording. */
struct trailer {
	uint8_t offset[8];
	uint8_t size[8];
	uint8_t reserved[8];
	char magic[8];
};

static void put_number(uint8_t bytes[8], uint64_t value)
{
	for (int i = 0; i < 8; i++)
		bytes[i] = value >> (8 * i);
}

static uint64_t get_number(const uint8_t bytes[8])
{
	uint64_t value = 0;

	for (int i = 0; i < 8; i++)
		value |= (uint64_t)bytes[i] << (8 * i);
	return value;
}

int embedded__open(const char *path)
{
	return strcmp(path, "-") ? regular__open(path)
				 : regular__take(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));
}

int embedded__find(int fd, uint64_t *ret_offset, uint64_t *ret_size)
{
	struct trailer trailer;
	struct stat st;
	uint64_t end;
	int code;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_size < (off_t)sizeof(trailer))
		return -ENOENT;
	end = st.st_size - sizeof(trailer);
	code = whole__read_exactly(&fd, end, &trailer, sizeof(trailer));
	if (code)
		return code;
	if (memcmp(trailer.magic, MAGIC, sizeof(MAGIC)) != 0)
		return -ENOENT;
	*ret_offset = get_number(trailer.offset);
	*ret_size = get_number(trailer.size);
	return *ret_offset > end || *ret_size != end - *ret_offset ? -EBADMSG : 0;
}

int embedded__append(int fd, int bundle, struct error *err)
{
	struct trailer trailer = {0};
	struct stat st;
	off_t start = lseek(fd, 0, SEEK_END), at = 0;
	char chunk[65536];
	ssize_t n = 0;
	int code = 0;

	if (start < 0 || fstat(bundle, &st) < 0)
		return error__errno(err, -errno, "the recording");
	while (!code && (n = pread(bundle, chunk, sizeof(chunk), at)) > 0) {
		code = whole__write(fd, chunk, n);
		at += n;
	}
	if (!code && (n < 0 || at != st.st_size))
		code = n < 0 ? -errno : -EIO;
	put_number(trailer.offset, start);
	put_number(trailer.size, at);
	memcpy(trailer.magic, MAGIC, sizeof(MAGIC));
	if (!code)
		code = whole__write(fd, &trailer, sizeof(trailer));
	return code ? error__errno(err, code, "the bundle") : 0;
}

int embedded__make_directory(char **ret_dir, struct error *err)
{
	const char *tmp = getenv("TMPDIR");
	char *dir;

	if (asprintf(&dir, "%s/perfstamp.XXXXXX", tmp && *tmp ? tmp : "/tmp") < 0)
		return error__set(err, -ENOMEM, "out of memory");
	if (!mkdtemp(dir)) {
		int code = error__errno(err, -errno, "%s", dir);

		free(dir);
		return code;
	}
	temporary__add(dir);
	*ret_dir = dir;
	return 0;
}

void embedded__remove(char *dir)
{
	if (dir) {
		inside__remove(AT_FDCWD, dir);
		temporary__forget(dir);
	}
	free(dir);
}

int embedded__unpack(
	char **ret_dir, const char *path, bundle_note_fn *note, void *ctx, struct error *err)
{
	int fd = embedded__open(path), code;
	struct bundle_counts counts;
	struct cache *cache = NULL;
	uint64_t offset = 0, size = 0;
	char *dir = NULL;

	if (fd < 0)
		return error__errno(err, fd, "%s", path);
	code = embedded__find(fd, &offset, &size);
	if (code)
		error__errno(err, code, "%s: what is embedded", path);
	if (!code)
		code = embedded__make_directory(&dir, err);
	if (!code)
		code = cache__open(&cache, dir, true, err);
	if (!code)
		code = bundle__import(cache, fd, offset, size, path, note, ctx, &counts, err);
	cache__free(cache);
	close(fd);
	if (code)
		embedded__remove(dir);
	else
		*ret_dir = dir;
	return code;
}
