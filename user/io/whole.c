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

ssize_t whole__read(int fd, void *ret, size_t size)
{
	size_t got = 0;

	while (got < size) {
		ssize_t n = read(fd, (char *)ret + got, size - got);

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

ssize_t whole__pread(int fd, void *ret, size_t size, uint64_t offset)
{
	size_t got = 0;

	/* The kernel refuses negative offsets, which an offset beyond off_t would become. */
	if (offset > INT64_MAX - size)
		return -EBADMSG;
	while (got < size) {
		ssize_t n = pread(fd, (char *)ret + got, size - got, (off_t)(offset + got));

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

int whole__read_exactly(void *fd, uint64_t offset, void *ret, size_t size)
{
	ssize_t n = whole__pread(*(const int *)fd, ret, size, offset);

	if (n < 0)
		return n;
	return (size_t)n == size ? 0 : -EBADMSG;
}
