/* SPDX-License-Identifier: GPL-2.0-only */
/* Checks that a content matches its name in the store. Knows open files, not entries. */
#ifndef PERFSTAMP_STORE_CHECK_H
#define PERFSTAMP_STORE_CHECK_H

#include <stdbool.h>

#include "user/base/error.h"
#include "user/store/cache/kind.h"

/*
 * Checks that the content of @fd has the identity @wanted, in hexadecimal. Returns 0, -EBADMSG with
 * the reason, or -errno.
 */
int content__check(
	int fd, const char *wanted, bool cookie, enum cache_kind kind, struct error *why);

#endif
