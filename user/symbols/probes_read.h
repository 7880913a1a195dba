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
	struct buffer text;    /* definitions, as parse/probes.h has them; to be freed */
	unsigned int left_out; /* arguments of markers that tracefs has no words for */
};

/*
 * What @fd, the file at @path, has: each of @wishes, or, without any, all its SDT
 * markers. Returns 0; -ENOENT for a function that it does not have; -EINVAL for a file that
 * no such probe can be in; -EBADMSG for a file that ended its reader; or -errno; with
 * text. Its .text is to be freed after 0.
 */
int probes_read(int fd, const char *path, const struct probe_wish *wishes, size_t n,
	struct probes_found *ret, struct error *err);

#endif
