/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Opens files below a directory that other users may write to. An opened file is always below that
 * directory, whatever links and names it has. Does not know any layout.
 */
#ifndef PERFSTAMP_STORE_INSIDE_H
#define PERFSTAMP_STORE_INSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSIDE_TEMPORARY ".perfstamp." /* prefix of the name of an incomplete file */

/* Whether @path is relative, and no component is empty, "." or "..". */
bool inside__is_plain(const char *path);

/*
 * Opens the directory @path below @dir; "" is @dir itself. With @make, missing directories are
 * created. No symbolic link is followed. Returns a descriptor, -EINVAL if @path is not plain,
 * -ELOOP or -ENOTDIR if a component is not a directory, or -errno.
 */
int inside__directory(int dir, const char *path, bool make);
/*
 * Opens the regular file @path below @dir for reading. Returns the same; -ENOENT if it is not a
 * regular file.
 */
int inside__file(int dir, const char *path);

/*
 * Removes @name of @dir and everything below it; links are not followed. A handler of signals may
 * call this. Returns 0 or -errno.
 */
int inside__remove(int dir, const char *name);

/*
 * Calls @fn for each name in the directory @dir except "." and "..". A non-zero result ends the
 * loop, and is returned.
 */
typedef int inside_name_fn(void *ctx, int dir, const char *name);
int inside__for_each(int dir, inside_name_fn *fn, void *ctx);

#endif
