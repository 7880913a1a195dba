/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds SDT markers and functions of an ELF file, for probes. The file is untrusted, so a
 * child with limits of time and memory reads it.
 */
#ifndef PERFSTAMP_STORE_PROBES_READ_H
#define PERFSTAMP_STORE_PROBES_READ_H

#include <stddef.h>

#include "user/base/buffer.h"
#include "user/base/error.h"
#include "user/parse/probes.h"

struct probes_found {
	/* definitions in the format of parse/probes.h; the caller frees it */
	struct buffer text;
	unsigned int left_out; /* markers' arguments that tracefs cannot express */
};

/*
 * Reads from @fd, the file at @path, the functions in @wishes, or without any all SDT markers.
 * Returns 0; -ENOENT if a function does not exist; -EINVAL if no such probe is possible in the
 * file; -EBADMSG if the file crashed its reader; or -errno; with text. After 0, the caller frees
 * .text.
 */
int probes_read(int fd, const char *path, const struct probe_wish *wishes, size_t n,
	struct probes_found *ret, struct error *err);

#endif
