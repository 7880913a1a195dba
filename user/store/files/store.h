/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The store of files by build-id that perf reads, ~/.debug, in perf's layout
 * (tools/perf/util/build-id.c of Linux), and, below a directory that perf skips, what has
 * no build-id or shares one with other content:
 *
 * DIR/NAME/BUILD-ID/elf a DSO; "kallsyms" for the kernel's symbols DIR/.build-id/xx/xxxx...
 * -> ../../NAME/BUILD-ID DIR/.perfstamp/cookie/COOKIE/elf
 *
 * Several writers may add the same content at once, and may be killed at any time: files
 * and links get their names only when they are complete. Links and names that lead out of
 * DIR are never followed.
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
#define STORE_OWN ".perfstamp" /* what is not perf's */
#define STORE_HEX_MAX (2 * PERFSTAMP_BUILD_ID_MAX + 1)

/*
 * Where it is: @given, or else $PERF_BUILDID_DIR, which perf sets for the commands that it
 * runs, or else buildid.dir of perf's configuration, or else ~/.debug. To be freed. Returns
 * 0, -ENOMEM, or -ENOENT if none is given and HOME is not set.
 */
int store__directory(char **ret, const char *given, struct error *err);

/*
 * Opens the store at @dir, which with @make is made. Returns a descriptor, or -errno with
 * text; -ENOENT if there is none.
 */
int store__open(const char *dir, bool make, struct error *err);
/*
 * A process that adds files holds this lock shared. A process that holds it exclusively may
 * treat every temporary file as a leftover. Without @exclusive it waits. Returns a
 * descriptor, whose closing unlocks; -EWOULDBLOCK; or -errno.
 */
int store__lock(int root, bool exclusive);

/* Writes the content to @fd; returns 0 or -errno. */
typedef int store_write_fn(int fd, void *ctx);

/*
 * Puts the content that @fn writes as the file @file ("elf", "kallsyms", with
 * these permissions) of the DSO @name with this build-id, in place of what is
 * there. @name with a leading slash is a path, and ends up below @dir as it is.
 * Returns 0, what @fn returned, -EINVAL for a name that leads out of @dir, or -errno; then
 * empty directories that it made are taken back.
 */
int store__put(const char *dir, const char *name, const uint8_t *build_id, size_t size,
	const char *file, unsigned int mode, store_write_fn *fn, void *ctx, struct error *err);

/*
 * The same as @file in the directory @part of the DSO's, which no build-id links to:
 * several may stand beside one another.
 */
int store__put_part(const char *dir, const char *name, const uint8_t *build_id, size_t size,
	const char *part, const char *file, unsigned int mode, store_write_fn *fn, void *ctx,
	struct error *err);

/* The same as @file of the content with this cookie, where perf does not look. */
int store__put_cookie(const char *dir, const uint8_t *cookie, size_t size, const char *file,
	unsigned int mode, store_write_fn *fn, void *ctx, struct error *err);

/*
 * The directory below @root that the build-id with these digits leads to. Returns 0,
 * -ENOENT, -EXDEV for a link that leads elsewhere than perf's do, or -errno.
 */
int store__resolve(int root, const char *hex, char *ret, size_t size);

/* Whether the store contains @file for this build-id. */
bool store__has(const char *dir, const uint8_t *build_id, size_t size, const char *file);

#endif
