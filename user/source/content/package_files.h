/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the package of this machine that owns a path, with its version, from dpkg's files, or
 * otherwise from the output of rpm. Reads everything once, for many paths. Does not know contents:
 * the file at a package's path may be another one than the package installed.
 */
#ifndef PERFSTAMP_SOURCE_PACKAGE_FILES_H
#define PERFSTAMP_SOURCE_PACKAGE_FILES_H

#include "user/base/error.h"

struct package_files;

struct package_file {
	const char *kind; /* "dpkg", "rpm" */
	const char *name, *version, *architecture;
	const char *source; /* the source package; "" if it is not known */
	/* Its version, which differs if the package was rebuilt (+b1); "" if it is not known. */
	const char *source_version;
};

/*
 * @root is a directory, "" for this machine; rpm is asked only with "". Returns 0; -ENOENT if there
 * is neither dpkg nor rpm; or -errno.
 */
int package_files__open(struct package_files **ret, const char *root);
void package_files__free(struct package_files *files);

/*
 * Returns 0, or -ENOENT. Texts live as long as @files, and may contain any bytes except control
 * characters.
 */
int package_files__find(
	const struct package_files *files, const char *path, struct package_file *ret);

#endif
