/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The digests of the files in one directory of the store, as sha256sum(1) has them, in a
 * file "perfstamp.sum", which perf skips: a build-id shows whether a file is the right one,
 * not whether it is undamaged. A file that is about to be replaced has two lines for a
 * while: one of them has to be right.
 */
#ifndef PERFSTAMP_STORE_SUMS_H
#define PERFSTAMP_STORE_SUMS_H

#include <stdint.h>

#include "user/store/files/digest.h"

#define SUMS_FILE "perfstamp.sum"

/*
 * Adds the digest of what will have the name @file in @dir. Under the store's lock. Returns
 * 0 or -errno.
 */
int sums__add(int dir, const char *file, const uint8_t digest[DIGEST_SIZE]);
/*
 * Checks @fd, the file @file of @dir, against its digest. Returns 0; -ENODATA if no digest
 * is known, since perf put it there; -EBADMSG if another is; -errno.
 */
int sums__check(int dir, const char *file, int fd);

#endif
