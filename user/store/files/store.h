/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The store of files by build-id that perf reads, ~/.debug, in perf's layout
 * (tools/perf/util/build-id.c of Linux). Content that has no build-id, or shares one with other
 * content, is below a directory that perf skips:
 *
 *    DIR/NAME/BUILD-ID/elf                 a DSO; "kallsyms" for the kernel's symbols
 *    DIR/.build-id/xx/xxxx...              -> ../../NAME/BUILD-ID
 *    DIR/.perfstamp/cookie/COOKIE/elf
 *
 * Several writers may add the same content at once, and may be killed at any time: files and links
 * get their names only when they are complete. Links and names that lead out of DIR are never
 * followed.
 */
#ifndef PERFSTAMP_STORE_STORE_H
#define PERFSTAMP_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfstamp/record.h"
#include "user/base/error.h"

#define STORE_KERNEL "[kernel.kallsyms]"
#define STORE_KCORE "[kernel.kcore]"
#define STORE_OWN ".perfstamp" /* files that only perfstamp uses */
#define STORE_HEX_MAX (2 * PERFSTAMP_BUILD_ID_MAX + 1)

/*
 * Finds the store's directory: @given, or $PERF_BUILDID_DIR, which perf sets for the commands that
 * it runs, or buildid.dir of perf's configuration, or ~/.debug. The caller frees it. Returns 0,
 * -ENOMEM, or -ENOENT if nothing is given and HOME is not set.
 */
int store__directory(char **ret, const char *given, struct error *err);

/*
 * Opens the store at @dir; with @make, creates it if necessary. Returns a descriptor, or -errno
 * with text; -ENOENT if it does not exist.
 */
int store__open(const char *dir, bool make, struct error *err);
/*
 * A process that adds files holds this lock shared. A process that holds it exclusively may treat
 * every temporary file as a leftover. If @exclusive is false, waits for the lock. Returns a
 * descriptor, which unlocks when it is closed; -EWOULDBLOCK; or -errno.
 */
int store__lock(int root, bool exclusive);

/* Writes the content to @fd; returns 0 or -errno. */
typedef int store_write_fn(int fd, void *ctx);

/*
 * Stores the content that @fn writes, as the file @file ("elf", "kallsyms") of the DSO @name with
 * this build-id. The file gets the permissions @mode, and replaces an existing one. A @name with a
 * leading slash is a path, which is kept below @dir. A build-id that the store already has keeps
 * its first name, so that all its files are in one directory. Returns 0, the result of @fn, -EINVAL
 * for a name that leads out of @dir, or -errno. On failure, removes the empty directories that it
 * created.
 */
int store__put(const char *dir, const char *name, const uint8_t *build_id, size_t size,
	const char *file, unsigned int mode, store_write_fn *fn, void *ctx, struct error *err);

/*
 * The same for @file in the directory @part of the DSO's directory. No build-id links to it, so a
 * DSO can have several parts.
 */
int store__put_part(const char *dir, const char *name, const uint8_t *build_id, size_t size,
	const char *part, const char *file, unsigned int mode, store_write_fn *fn, void *ctx,
	struct error *err);

/* The same for @file of the content with this cookie, where perf does not look. */
int store__put_cookie(const char *dir, const uint8_t *cookie, size_t size, const char *file,
	unsigned int mode, store_write_fn *fn, void *ctx, struct error *err);

/*
 * Finds the directory below @root to which the build-id with these digits leads. Returns 0,
 * -ENOENT, -EXDEV for a link that leads elsewhere than perf's links do, or -errno.
 */
int store__resolve(int root, const char *hex, char *ret, size_t size);

/* Whether the store contains @file for this build-id. */
bool store__has(const char *dir, const uint8_t *build_id, size_t size, const char *file);

#endif
