// SPDX-License-Identifier: GPL-2.0-only
/* See name_list.h. */
#include "user/cli/profile/name_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int name_list__parse(struct name_list *list, const char *text)
{
	free(list->names);
	list->n = 0;
	list->names = strdup(text);
	if (!list->names)
		return -ENOMEM;
	list->n = 1;
	for (char *at = list->names; *at; at++)
		if (*at == ',') {
			*at = '\0';
			list->n++;
		}
	return 0;
}

bool name_list__has(const struct name_list *list, const char *name)
{
	const char *at = list->names;

	for (size_t i = 0; i < list->n; i++, at += strlen(at) + 1)
		if (!strcmp(at, name))
			return true;
	return false;
}
