// SPDX-License-Identifier: GPL-2.0-only
/* See module_names.h. */
#include "user/record/kernel/module_names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"

#include "perfstamp/record.h"

struct module_name {
	char name[PERFSTAMP_MODULE_NAME_MAX];
	uint32_t n; /* number of maps that perf has got */
};

int module_names__count(struct module_names *names, const char *name, uint32_t *ret)
{
	size_t i;

	for (i = 0; i < names->n && strcmp(names->v[i].name, name) != 0; i++)
		;
	if (i == names->n) {
		if (array__reserve(&names->v, &names->room, names->n + 1, sizeof(*names->v)))
			return -ENOMEM;
		memset(&names->v[i], 0, sizeof(names->v[i]));
		snprintf(names->v[i].name, sizeof(names->v[i].name), "%s", name);
		names->n++;
	}
	*ret = ++names->v[i].n;
	return 0;
}

void module_names__reset(struct module_names *names)
{
	names->n = 0;
}

void module_names__free(struct module_names *names)
{
	free(names->v);
	*names = (struct module_names){0};
}

void module_names__alias(char *ret, size_t size, const char *path, uint32_t ordinal)
{
	const char *base = strrchr(path, '/'), *end;

	base = base ? base + 1 : path;
	end = strstr(base, ".ko");
	if (!end)
		end = base + strlen(base);
	snprintf(ret, size, "%.*s_r%u%s", (int)(end - path), path, ordinal, end);
}
