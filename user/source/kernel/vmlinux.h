/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the kernel's image with symbols. A file is used only if it has the kernel's
 * build-id, because a vmlinux of the same release may be another build.
 */
#ifndef PERFSTAMP_SOURCE_VMLINUX_H
#define PERFSTAMP_SOURCE_VMLINUX_H

#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"

/*
 * Looks where distributions, debug packages, builds and perf's build-id cache (@store, may
 * be NULL) have it. @release as of uname; @root goes before the paths and is "" outside of
 * tests. Returns 0 with the path, to be freed; -ENOENT if there is none, -EBADMSG if there
 * are only others, each with the text; or -ENOMEM.
 */
int vmlinux__find(char **ret, const char *root, const char *store, const char *release,
	const uint8_t *build_id, size_t size, struct error *err);
/*
 * Whether the file at @path has this build-id. Returns 0; -EBADMSG if it has another or
 * none, with both in the text; or -errno of open and read.
 */
int vmlinux__check(const char *path, const uint8_t *build_id, size_t size, struct error *err);

#endif
