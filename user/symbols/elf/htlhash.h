/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hash that OpenTelemetry's profilers use for an executable without a build-id: the first 16
 * bytes of the SHA-256 of the file's first 4096 bytes, its last 4096 bytes, and its size as a
 * big-endian u64 (attribute process.executable.build_id.htlhash of the semantic conventions). A
 * part of symbols.c, for its child's use only.
 */
#ifndef PERFSTAMP_SYMBOLS_ELF_HTLHASH_H
#define PERFSTAMP_SYMBOLS_ELF_HTLHASH_H

#include <stdint.h>

/* Writes SYMBOL_HTLHASH_SIZE bytes to @ret. Returns 0, or -errno if the file cannot be read. */
int htlhash__of_file(int fd, uint8_t *ret);

#endif
