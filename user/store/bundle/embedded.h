/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording with its bundle (bundle.h) appended, where perf does not look. The last 32
 * bytes of the file have its position.
 */
#ifndef PERFSTAMP_STORE_EMBEDDED_H
#define PERFSTAMP_STORE_EMBEDDED_H

#include <stdint.h>

#include "user/base/error.h"
#include "user/store/bundle/bundle.h"

/*
 * Opens the recording @path for reading. "-" is standard input, whose position does not change.
 * Returns a descriptor, -ENOENT if this is not a regular file, or -errno.
 */
int embedded__open(const char *path);

/*
 * Finds the bundle in the file @fd. Returns 0, -ENOENT if the file has none, -EBADMSG if the last
 * bytes are contradictory, or -errno.
 */
int embedded__find(int fd, uint64_t *ret_offset, uint64_t *ret_size);

/* Appends the file @bundle to the recording @fd. Returns 0 or -errno. */
int embedded__append(int fd, int bundle, struct error *err);

/*
 * Unpacks the bundle in the recording @path into a new store in a temporary directory, *@ret_dir,
 * and verifies each identity (bundle.h). embedded__remove() removes the directory and frees the
 * name. Returns 0, -ENOENT if the recording has no bundle, or -errno with text.
 */
int embedded__unpack(
	char **ret_dir, const char *path, bundle_note_fn *note, void *ctx, struct error *err);
void embedded__remove(char *dir);

/*
 * Creates an empty temporary directory, for embedded__remove(), or for a signal that ends the
 * process (temporary.h). Returns 0 or -errno with text.
 */
int embedded__make_directory(char **ret_dir, struct error *err);

#endif
