/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The store of files by build-id that perf reads, ~/.debug, in perf's layout
 * (tools/perf/util/build-id.c of Linux):
 *
 *	DIR/NAME/BUILD-ID/elf				a DSO; "kallsyms" for the kernel's symbols
 *	DIR/.build-id/xx/xxxx... -> ../../NAME/BUILD-ID
 *
 * Several writers may put the same at once, and each may be killed: files and
 * links get their names only when they are complete.
 */
#ifndef PERFSTAMP_STORE_STORE_H
#define PERFSTAMP_STORE_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"

#define STORE_KERNEL "[kernel.kallsyms]"

/*
 * Where it is: @given, or else buildid.dir of perf's configuration, or else
 * ~/.debug. To be freed. Returns 0, -ENOMEM, or -ENOENT where neither is given
 * and HOME is not set.
 */
int store__directory(char **ret, const char *given, struct error *err);

/* Writes the content to @fd; 0 or -errno. */
typedef int store_write_fn(int fd, void *ctx);

/*
 * Puts the content that @fn writes as the file @file ("elf", "kallsyms", with
 * these permissions) of the DSO @name with this build-id, in place of what is
 * there. @name with a leading slash is a path, and ends up below @dir as it is.
 * Returns 0, what @fn returned, or -errno.
 */
int store__put(const char *dir, const char *name, const uint8_t *build_id, size_t size,
	const char *file, unsigned int mode, store_write_fn *fn, void *ctx, struct error *err);

/*
 * The same as @file in the directory @part of the DSO's, which no build-id links to:
 * several may stand beside one another. An empty directory that it made is taken back.
 */
int store__put_part(const char *dir, const char *name, const uint8_t *build_id, size_t size,
	const char *part, const char *file, unsigned int mode, store_write_fn *fn, void *ctx,
	struct error *err);

/* Whether the store has @file for this build-id. */
int store__has(const char *dir, const uint8_t *build_id, size_t size, const char *file);

#endif
