// SPDX-License-Identifier: GPL-2.0-only
/* Reads small files of /proc and /sys. Does not know what they mean. */
#include "user/source/proc/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int read_fd(int fd, char **ret, size_t *ret_size)
{
	size_t size = 0, room = 4096;
	char *bytes = malloc(room);

	if (!bytes)
		return -ENOMEM;
	for (;;) {
		ssize_t n = read(fd, bytes + size, room - size - 1);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			int r = -errno;

			free(bytes);
			return r;
		}
		if (!n)
			break;
		size += n;
		if (size == room - 1) {
			char *more = realloc(bytes, room * 2);

			if (!more) {
				free(bytes);
				return -ENOMEM;
			}
			bytes = more;
			room *= 2;
		}
	}
	bytes[size] = '\0';
	*ret = bytes;
	if (ret_size)
		*ret_size = size;
	return 0;
}

static int read_path(char **ret, size_t *ret_size, const char *fmt, va_list args)
{
	char path[PATH_MAX];
	int fd, n, r;

	n = vsnprintf(path, sizeof(path), fmt, args);
	if (n < 0 || (size_t)n >= sizeof(path))
		return -ENAMETOOLONG;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	r = read_fd(fd, ret, ret_size);
	close(fd);
	return r;
}

int proc_file__read(char **ret, size_t *ret_size, const char *fmt, ...)
{
	va_list args;
	int r;

	va_start(args, fmt);
	r = read_path(ret, ret_size, fmt, args);
	va_end(args);
	return r;
}

int proc_file__number(int64_t *ret, const char *fmt, ...)
{
	va_list args;
	char *text, *end;
	int64_t value;
	int r;

	va_start(args, fmt);
	r = read_path(&text, NULL, fmt, args);
	va_end(args);
	if (r)
		return r;
	errno = 0;
	/* Kernel addresses have bit 63 set and are returned cast. */
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): errno was not 0 */
	value = *text == '-' ? strtoll(text, &end, 0) : (int64_t)strtoull(text, &end, 0);
	if (end == text || errno || (*end && *end != '\n'))
		r = -EBADMSG;
	else
		*ret = value;
	free(text);
	return r;
}
