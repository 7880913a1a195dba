// SPDX-License-Identifier: GPL-2.0-only
/* See origin.h. */
#include "user/store/cache/origin.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "user/store/files/inside.h"

#define ORIGIN_MAX (2 * PATH_MAX)

void origin__read(int dir, char *ret_path, size_t size, bool *ret_captured)
{
	char text[ORIGIN_MAX + 1] = "", *line, *rest = text;
	int fd = inside__file(dir, CACHE_ORIGIN);
	ssize_t n;

	*ret_path = '\0';
	*ret_captured = false;
	if (fd < 0)
		return;
	n = read(fd, text, ORIGIN_MAX);
	text[n < 0 ? 0 : n] = '\0';
	close(fd);
	while ((line = strsep(&rest, "\n"))) {
		if (!strncmp(line, "path=", 5))
			snprintf(ret_path, size, "%s", line + 5);
		*ret_captured |= !strncmp(line, "captured=", 9);
	}
}

int origin__write(int fd, void *ctx)
{
	const char *name = ctx;

	/* A newline in it would begin another line. */
	if (dprintf(fd, "path=%.*s\n", (int)strcspn(name, "\n"), name) < 0)
		return -errno;
	return 0;
}
