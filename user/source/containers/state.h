/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the state files of container runtimes say about one container, from their text: its
 * name, image and pod. Does not know any file. The text is untrusted: any bytes give lines,
 * or -ENOENT.
 */
#ifndef PERFSTAMP_SOURCE_CONTAINER_STATE_H
#define PERFSTAMP_SOURCE_CONTAINER_STATE_H

#include <stddef.h>

#include "user/base/buffer.h"

/*
 * Each appends the known lines (docs/format.md) to @out. Returns 0, -ENOENT if nothing is
 * known, or the buffer's error.
 */

/* docker's config.v2.json. */
int container_state__docker(const char *text, size_t size, struct buffer *out);
/* config.json of an OCI bundle. */
int container_state__bundle(const char *text, size_t size, struct buffer *out);
/* containers.json of containers/storage, of the container with this id. */
int container_state__listed(const char *text, size_t size, const char *id, struct buffer *out);

/* "data-root" in docker's daemon.json; to be freed. NULL if there is none. */
char *container_state__docker_root(const char *text, size_t size);

#endif
