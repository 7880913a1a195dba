/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The identity of a file's content, which is build-id and cookie as in a recording, and digests of
 * the whole content. Does not know any store.
 */
#ifndef PERFSTAMP_STORE_DIGEST_H
#define PERFSTAMP_STORE_DIGEST_H

#include <stdbool.h>
#include <stdint.h>

#include "perfstamp/record.h"

#define DIGEST_SIZE 32  /* bytes of SHA-256 */
#define HTLHASH_SIZE 16 /* bytes */

/*
 * Reads build-id, cookie and size of the regular file @fd, or the reason why it has no build-id.
 * Sections are searched as well, because modules have no segments. Returns 0 or -errno.
 */
int digest__identity(int fd, struct perfstamp_identity *ret);
/* Whether both have the same build-id, or none, and the same cookie. */
bool digest__is_same(const struct perfstamp_identity *a, const struct perfstamp_identity *b);
/* Computes the SHA-256 of the whole file. Returns 0 or -errno. */
int digest__sha256(int fd, uint8_t ret[DIGEST_SIZE]);
/*
 * Computes the hash that identifies an executable in OpenTelemetry's profiles,
 * process.executable.build_id.htlhash: the beginning of the SHA-256 of the first and the last 4,096
 * bytes, which may overlap, and the size (specification/profiles/mappings.md of
 * opentelemetry-specification). Returns 0 or -errno.
 */
int digest__htlhash(int fd, uint8_t ret[HTLHASH_SIZE]);

#endif
