/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Identities of a file's content: build-id and cookie, as in a recording, and digests of
 * all of it. Does not know any store.
 */
#ifndef PERFSTAMP_STORE_DIGEST_H
#define PERFSTAMP_STORE_DIGEST_H

#include <stdbool.h>
#include <stdint.h>

#include "perfstamp/record.h"

#define DIGEST_SIZE 32  /* bytes of SHA-256 */
#define HTLHASH_SIZE 16 /* bytes */

/*
 * Build-id, cookie, size, and why there is no build-id, of the content of @fd, a regular
 * file; modules have no segments, so sections count, too. Returns 0 or -errno.
 */
int digest__identity(int fd, struct perfstamp_identity *ret);
/* Whether both have the same build-id, or none, and the same cookie. */
bool digest__is_same(const struct perfstamp_identity *a, const struct perfstamp_identity *b);
/* SHA-256 of all of it. Returns 0 or -errno. */
int digest__sha256(int fd, uint8_t ret[DIGEST_SIZE]);
/*
 * What OpenTelemetry's profiles know an executable by, process.executable.build_id.htlhash:
 * the beginning of the SHA-256 of its first and its last 4,096 bytes, which may overlap,
 * and its size (specification/profiles/mappings.md of opentelemetry-specification). Returns
 * 0 or -errno.
 */
int digest__htlhash(int fd, uint8_t ret[HTLHASH_SIZE]);

#endif
