/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads a kernel's identity from this machine, from another one through the user's ssh, or
 * from a copied notes file. Does not know any recording.
 */
#ifndef PERFSTAMP_SOURCE_KERNEL_SOURCES_H
#define PERFSTAMP_SOURCE_KERNEL_SOURCES_H

#include "user/base/error.h"
#include "user/parse/kernel/ids.h"

/*
 * Each function fills @ids, which must be initialized, and sorts it. A kernel without a build-id is
 * no error: .why has the reason. Returns 0 or -errno with the text.
 */

/* Reads the running kernel; @root goes before /sys and is "" outside of tests. */
int kernel_sources__running(struct kernel_ids *ids, const char *root, struct error *err);
/* Reads a copy of /sys/kernel/notes at @path, which has the kernel without modules. */
int kernel_sources__notes_file(struct kernel_ids *ids, const char *path, struct error *err);
/*
 * Reads the kernel of @host through one connection: `@command @host "exec sh"'. A shell interprets
 * @command, as it interprets git's GIT_SSH_COMMAND. The messages of ssh go to our standard error,
 * and it may ask on the terminal. Returns -EINVAL for a host that ssh would take for an option.
 */
int kernel_sources__ssh(
	struct kernel_ids *ids, const char *command, const char *host, struct error *err);

#endif
