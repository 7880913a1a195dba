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
 * Writes to @fd a core file with a segment for each of the @n ranges, of which each has to
 * lie in one segment of /proc/kcore. Returns 0; -EPERM, -ENOENT and the like where it
 * cannot be opened: without CAP_SYS_RAWIO, under lockdown, or where the kernel has none;
 * -ENODATA if a range is not in it; -EBADMSG; or -errno.
 */
int kcore__copy(int fd, const struct kcore_range *ranges, size_t n, struct error *err);

#endif
