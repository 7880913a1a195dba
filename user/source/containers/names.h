/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads a container's name, image and pod from the state files of container runtimes. Does
 * not ask any daemon. The files are read with limits, and only used for names. Keeps no
 * state.
 */
#ifndef PERFSTAMP_SOURCE_CONTAINER_NAMES_H
#define PERFSTAMP_SOURCE_CONTAINER_NAMES_H

#include "user/base/buffer.h"
#include "user/parse/container.h"

/*
 * Appends the known lines (docs/format.md) about @container, for the system's docker,
 * podman, containerd (k3s, nerdctl) and CRI-O, but not for users' own runtimes. For nspawn
 * and LXC, the id is the name. Returns 0, -ENOENT if nothing is known, or the buffer's
 * error.
 */
int container_names__find(const struct container *container, struct buffer *out);

#endif
