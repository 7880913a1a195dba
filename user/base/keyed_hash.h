/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A hash for tables with untrusted keys. Each process has another secret, so that nobody
 * can choose keys that collide. Hash values must not be stored or shown.
 */
#ifndef PERFSTAMP_BASE_KEYED_HASH_H
#define PERFSTAMP_BASE_KEYED_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The hash of @size bytes. */
uint32_t keyed_hash__of(const void *bytes, size_t size);

#endif
