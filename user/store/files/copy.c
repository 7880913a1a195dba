// SPDX-License-Identifier: GPL-2.0-only
/* See copy.h. */
#include "user/store/files/copy.h"

#include <errno.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/io/whole.h"

#define CHUNK (1u << 20)
#define COMPARED 65536 /* bytes that are compared at once */

int copy__range(int from, int to, off_t start, off_t end)
{
	if (lseek(to, start, SEEK_SET) < 0)
		return -errno;
	while (start < end) {
		size_t left = end - start;
		/* sendfile() advances @start. */
		ssize_t n = sendfile(to, from, &start, left < CHUNK ? left : CHUNK);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			return -EIO; /* the file has become shorter */
	}
	return 0;
}

/* Returns 0, -ESTALE if the file ends before @size bytes are read, or -errno. */
static int read_all(int fd, char *to, size_t size, off_t offset)
{
	ssize_t n = whole__pread(fd, to, size, offset);

	if (n < 0)
		return n;
	return (size_t)n == size ? 0 : -ESTALE;
}

int copy__compare(int a, int b, off_t start, off_t end)
{
	char *chunks = malloc(2 * (size_t)COMPARED);
	int code = chunks ? 0 : -ENOMEM;

	while (!code && start < end) {
		size_t n = end - start < COMPARED ? end - start : COMPARED;

		code = read_all(a, chunks, n, start);
		if (!code)
			code = read_all(b, chunks + COMPARED, n, start);
		if (!code && memcmp(chunks, chunks + COMPARED, n) != 0)
			code = -ESTALE;
		start += n;
	}
	free(chunks);
	return code;
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
		/* The file system does not support finding holes. */
		if (data < 0 || hole < 0)
			return copy__range(from, to, 0, st.st_size);
		code = copy__range(from, to, data, hole < st.st_size ? hole : st.st_size);
		data = hole;
	}
	return code;
}
