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
 * Looks in the places of distributions, debug packages, builds and perf's build-id cache (@store,
 * may be NULL). @release is like uname's; @root goes before the paths and is "" outside of tests.
 * Returns 0 with the path, which the caller frees; -ENOENT if there is no file, or -EBADMSG if
 * there are only wrong ones, with the text; or -ENOMEM.
 */
int vmlinux__find(char **ret, const char *root, const char *store, const char *release,
	const uint8_t *build_id, size_t size, struct error *err);
/*
 * Checks that the file at @path has this build-id. Returns 0; -EBADMSG if it has another one or
 * none, with both in the text; or -errno of open and read.
 */
int vmlinux__check(const char *path, const uint8_t *build_id, size_t size, struct error *err);

#endif
