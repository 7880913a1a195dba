/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists of names on the command lines of report and export: "a,b". */
#ifndef PERFSTAMP_CLI_PROFILE_NAME_LIST_H
#define PERFSTAMP_CLI_PROFILE_NAME_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct name_list {
	char *names; /* each followed by a NUL; the caller frees them with free() */
	size_t n;
};

/* Replaces the content of @list. Returns 0 or -ENOMEM. */
int name_list__parse(struct name_list *list, const char *text);
bool name_list__has(const struct name_list *list, const char *name);

#endif
