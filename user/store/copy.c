// SPDX-License-Identifier: GPL-2.0-only
/* See copy.h. */
#include "user/store/copy.h"

#include <errno.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK (1u << 20)

int copy__bytes(int to, const void *bytes, size_t size)
{
	const char *at = bytes;

	while (size) {
		ssize_t n = write(to, at, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		at += n;
		size -= n;
	}
	return 0;
}

/* From @start to @end, which are data. */
static int copy_range(int from, int to, off_t start, off_t end)
{
	if (lseek(to, start, SEEK_SET) < 0)
		return -errno;
	while (start < end) {
		size_t left = end - start;
		/* Moves @start on. */
		ssize_t n = sendfile(to, from, &start, left < CHUNK ? left : CHUNK);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			return -EIO; /* it has become shorter */
	}
	return 0;
}

int copy__file(int from, int to)
{
	off_t data = 0, hole;
	struct stat st;
	int code = 0;

	if (!ioctl(to, FICLONE, from))
		return 0;
	if (fstat(from, &st) < 0)
		return -errno;
	if (ftruncate(to, st.st_size) < 0)
		return -errno;
	while (!code && data < st.st_size) {
		data = lseek(from, data, SEEK_DATA);
		if (data < 0 && errno == ENXIO)
			return 0;
		hole = data < 0 ? -1 : lseek(from, data, SEEK_HOLE);
		/* One that knows no holes. */
		if (data < 0 || hole < 0)
			return copy_range(from, to, 0, st.st_size);
		code = copy_range(from, to, data, hole < st.st_size ? hole : st.st_size);
		data = hole;
	}
	return code;
}
