/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the Debian packages that own paths, in dpkg's own lists below a process's root. Executes
 * nothing, and uses the lists only for names.
 */
#ifndef PERFSTAMP_SOURCE_PACKAGE_OWNER_H
#define PERFSTAMP_SOURCE_PACKAGE_OWNER_H

#include <stddef.h>
#include <sys/types.h>

/*
 * Finds the package for each of @n paths, which are written as in /proc/@pid/maps, and stores its
 * name, which the caller frees, or NULL in *@ret_names. Returns 0, -ENOENT without dpkg, or -errno.
 */
int package_owner__find(pid_t pid, const char *const *paths, size_t n, char **ret_names);

#endif
