/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads a module's file: .ko, or .ko compressed with gzip, xz or zstd, recognized by its
 * first bytes and not by its name.
 */
#ifndef PERFSTAMP_SOURCE_MODULE_CONTENT_H
#define PERFSTAMP_SOURCE_MODULE_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/parse/elf/note.h"

/* No module is larger: the largest, with debug symbols, has 150 MB. */
#define MODULE_CONTENT_MAX (256u << 20)

/*
 * Reads all of the regular file at @path, decompressed, into memory that the caller frees. Returns
 * 0; -EFBIG beyond MODULE_CONTENT_MAX; -EBADMSG if it is compressed and damaged; -ENOMEM; -ENOTSUP
 * if it is not a regular file; -errno.
 */
int module_content__read(const char *path, uint8_t **ret, size_t *ret_size);
/*
 * Whether the module's file at @path has this build-id; also false if it cannot be read. Of a .ko,
 * only some kilobytes are read. A compressed file must be decompressed, which usually takes 5 to 10
 * ms.
 */
bool module_content__has_build_id(const char *path, const uint8_t *build_id, size_t size);

#endif
