// SPDX-License-Identifier: GPL-2.0-only
/* See whole.h. */
#include "user/io/whole.h"

#include <errno.h>
#include <unistd.h>

int whole__write(int fd, const void *bytes, size_t size)
{
	const char *at = bytes;

	while (size) {
		ssize_t n = write(fd, at, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -ENOSPC;
		at += n;
		size -= n;
	}
	return 0;
}

int whole__pwrite(int fd, const void *bytes, size_t size, uint64_t offset)
{
	const char *at = bytes;

	while (size) {
		ssize_t n = pwrite(fd, at, size, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -ENOSPC;
		at += n;
		offset += n;
		size -= n;
	}
	return 0;
}

/* @offset: where to read; NULL: at the descriptor's current position. */
static ssize_t read_all(int fd, void *ret, size_t size, const uint64_t *offset)
{
	size_t got = 0;

	while (got < size) {
		char *at = (char *)ret + got;
		ssize_t n = offset ? pread(fd, at, size - got, (off_t)(*offset + got))
				   : read(fd, at, size - got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			break;
		got += n;
	}
	return got;
}

ssize_t whole__read(int fd, void *ret, size_t size)
{
	return read_all(fd, ret, size, NULL);
}

ssize_t whole__pread(int fd, void *ret, size_t size, uint64_t offset)
{
	/* The kernel refuses negative offsets, which an offset beyond off_t would become. */
	return offset > INT64_MAX - size ? -EBADMSG : read_all(fd, ret, size, &offset);
}

int whole__read_exactly(void *fd, uint64_t offset, void *ret, size_t size)
{
	ssize_t n = whole__pread(*(const int *)fd, ret, size, offset);

	if (n < 0)
		return n;
	return (size_t)n == size ? 0 : -EBADMSG;
}
