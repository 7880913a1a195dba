/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The digests of the files in one directory of the store, in the format of sha256sum(1), in a file
 * "perfstamp.sum", which perf skips. A build-id shows whether a file is the right one, but not
 * whether it is undamaged. While a file is replaced, it has two lines, and one of them must match.
 */
#ifndef PERFSTAMP_STORE_SUMS_H
#define PERFSTAMP_STORE_SUMS_H

#include <stdint.h>

#include "user/store/files/digest.h"

#define SUMS_FILE "perfstamp.sum"

/*
 * Adds the digest of the content that is about to get the name @file in @dir. Requires the store's
 * lock. Returns 0 or -errno.
 */
int sums__add(int dir, const char *file, const uint8_t digest[DIGEST_SIZE]);
/*
 * Checks @fd, the file @file of @dir, against its digest. Returns 0; -ENODATA if no digest is
 * known, because perf added the file; -EBADMSG if the digest differs; or -errno.
 */
int sums__check(int dir, const char *file, int fd);

#endif
