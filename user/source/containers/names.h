/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What container runtimes keep in files of their own about a container: its name,
 * image and pod. No daemon is asked. The files are read with limits and believed in
 * nothing but names. Remembers nothing.
 */
#ifndef PERFSTAMP_SOURCE_CONTAINER_NAMES_H
#define PERFSTAMP_SOURCE_CONTAINER_NAMES_H

#include "user/base/buffer.h"
#include "user/parse/container.h"

/*
 * Appends the lines (docs/format.md) that are known of @container: of docker,
 * podman, containerd (k3s, nerdctl) and CRI-O, of the system, not of users; of
 * nspawn and LXC the id is the name. Returns 0; -ENOENT where nothing is known; or
 * the buffer's error.
 */
int container_names__find(const struct container *container, struct buffer *out);

#endif
