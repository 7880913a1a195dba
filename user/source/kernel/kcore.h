/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copies the running kernel's text, including run-time patches, from /proc/kcore to an ELF
 * file. Does not know any store.
 */
#ifndef PERFSTAMP_SOURCE_KCORE_H
#define PERFSTAMP_SOURCE_KCORE_H

#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"

struct kcore_range {
	uint64_t start;
	uint64_t end;
};

#define KCORE_RANGES_MAX 2

/*
 * Writes a core file to @fd with a segment for each of the @n ranges. Each range must lie in one
 * segment of /proc/kcore. Returns 0; -EPERM, -ENOENT and the like if /proc/kcore cannot be opened:
 * without CAP_SYS_RAWIO, under lockdown, or if the kernel does not have it; -ENODATA if it does not
 * contain a range; -EBADMSG; or -errno.
 */
int kcore__copy(int fd, const struct kcore_range *ranges, size_t n, struct error *err);

#endif
