/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Opens files below a directory that other users may write to. Opened files are always
 * below it, whatever links and names are there. Does not know any layout.
 */
#ifndef PERFSTAMP_STORE_INSIDE_H
#define PERFSTAMP_STORE_INSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSIDE_TEMPORARY ".perfstamp." /* begins the name of what a writer has not completed */

/* Whether @path is relative, and of components that are neither empty nor "." nor "..". */
bool inside__is_plain(const char *path);

/*
 * Opens the directory @path below @dir; "" is @dir itself. With @make the missing ones are
 * made. No symbolic link is followed. Returns a descriptor, -EINVAL if @path is not plain,
 * -ELOOP or -ENOTDIR for what is no directory, or -errno.
 */
int inside__directory(int dir, const char *path, bool make);
/* Opens the regular file @path below @dir for reading; the same, and -ENOENT for what is none. */
int inside__file(int dir, const char *path);

/* Removes @name of @dir with all that is in it; links are not followed. Returns 0 or -errno. */
int inside__remove(int dir, const char *name);

/* Calls @fn for each name in the directory @dir but "." and ".."; its value ends it. */
typedef int inside_name_fn(void *ctx, int dir, const char *name);
int inside__for_each(int dir, inside_name_fn *fn, void *ctx);

#endif
