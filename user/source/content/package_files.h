/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the package of this machine that owns a path, with its version, from dpkg's files,
 * or otherwise from the output of rpm. Reads all of it once, for many paths. Does not know
 * contents: that a package owns a path does not say that the file there is the one it has
 * installed.
 */
#ifndef PERFSTAMP_SOURCE_PACKAGE_FILES_H
#define PERFSTAMP_SOURCE_PACKAGE_FILES_H

#include "user/base/error.h"

struct package_files;

struct package_file {
	const char *kind; /* "dpkg", "rpm" */
	const char *name, *version, *architecture;
	const char *source; /* the source package; "": not known */
	/* Its version, which differs if the package was rebuilt (+b1); "": not known. */
	const char *source_version;
};

/*
 * @root is a directory, "" for this machine's own; rpm is asked only there. Returns 0;
 * -ENOENT if there is neither; or -errno.
 */
int package_files__open(struct package_files **ret, const char *root);
void package_files__free(struct package_files *files);

/*
 * Returns 0, or -ENOENT. Texts live as long as @files, and may be any bytes but control
 * characters.
 */
int package_files__find(
	const struct package_files *files, const char *path, struct package_file *ret);

#endif
