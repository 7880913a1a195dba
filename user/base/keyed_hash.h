/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A hash for tables whose keys strangers choose: its key is another one in each process, so
 * that no one can choose keys that collide. Values must not be kept or shown.
 */
#ifndef PERFSTAMP_BASE_KEYED_HASH_H
#define PERFSTAMP_BASE_KEYED_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The hash of @size bytes. */
uint32_t keyed_hash__of(const void *bytes, size_t size);

#endif
