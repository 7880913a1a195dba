// SPDX-License-Identifier: GPL-2.0-only
/* See origin.h. */
#include "user/store/cache/origin.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/store/files/inside.h"

#define ORIGIN_MAX (2 * PATH_MAX)

void origin__read(int dir, struct origin *ret)
{
	char text[ORIGIN_MAX + 1] = "", *line, *rest = text;
	int fd = inside__file(dir, CACHE_ORIGIN);
	ssize_t n;

	*ret = (struct origin){0};
	if (fd < 0)
		return;
	n = read(fd, text, ORIGIN_MAX);
	text[n < 0 ? 0 : n] = '\0';
	close(fd);
	while ((line = strsep(&rest, "\n"))) {
		if (!strncmp(line, "path=", 5))
			snprintf(ret->path, sizeof(ret->path), "%s", line + 5);
		ret->captured |= !strncmp(line, "captured=", 9);
		if (!strncmp(line, "owner=", 6))
			ret->owner = strtoull(line + 6, NULL, 16);
	}
}

int origin__write(int fd, void *ctx)
{
	const char *name = ctx;

	/* A newline in the name would begin another line, so the name is cut there. */
	if (dprintf(fd, "path=%.*s\n", (int)strcspn(name, "\n"), name) < 0)
		return -errno;
	return 0;
}
