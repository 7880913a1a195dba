// SPDX-License-Identifier: GPL-2.0-only
/* The lines of /proc/modules and modules.dep. Does not know any file. */
#include "user/parse/kernel/modules.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int module_line__next(const char **cursor, struct module_line *ret)
{
	const char *line = *cursor;
	size_t len = strcspn(line, "\n");
	char copy[1024], state[16];
	const char *rest;
	int at = 0;

	if (!*line)
		return 0;
	*cursor = line + len + (line[len] == '\n');
	/*
	 * "name size references users state address [taints]": the list of users can be long, so
	 * the line is parsed from both ends.
	 */
	snprintf(copy, sizeof(copy), "%.*s", (int)(len < sizeof(copy) ? len : sizeof(copy) - 1),
		line);
	memset(ret, 0, sizeof(*ret));
	if (sscanf(copy, "%63s %" SCNu64 " %*s %n", ret->name, &ret->size, &at) != 2 || !at)
		return -EBADMSG;
	rest = line + at;
	rest += strcspn(rest, " \n");
	if (sscanf(rest, " %15[A-Za-z] %" SCNx64, state, &ret->addr) != 2)
		return -EBADMSG;
	ret->live = !strcmp(state, "Live");
	ret->going = !strcmp(state, "Unloading");
	return 1;
}

int modules_dep__next(const char **cursor, const char **ret_path, size_t *ret_size)
{
	while (**cursor) {
		const char *line = *cursor;
		size_t len = strcspn(line, "\n");
		const char *colon = memchr(line, ':', len);

		*cursor = line + len + (line[len] == '\n');
		if (!colon || colon == line || *line == '#')
			continue;
		*ret_path = line;
		*ret_size = colon - line;
		return 1;
	}
	return 0;
}

static bool strip(const char *path, size_t *size, const char *suffix)
{
	size_t len = strlen(suffix);

	if (*size <= len || memcmp(path + *size - len, suffix, len))
		return false;
	*size -= len;
	return true;
}

bool module_name__from_path(char ret[MODULE_NAME_MAX], const char *path, size_t size)
{
	const char *slash = memrchr(path, '/', size);

	if (slash) {
		size -= slash + 1 - path;
		path = slash + 1;
	}
	(void)(strip(path, &size, ".gz") || strip(path, &size, ".xz") ||
		strip(path, &size, ".zst"));
	if (!strip(path, &size, ".ko") || size >= MODULE_NAME_MAX)
		return false;
	for (size_t i = 0; i < size; i++)
		ret[i] = path[i] == '-' ? '_' : path[i];
	ret[size] = '\0';
	return true;
}
