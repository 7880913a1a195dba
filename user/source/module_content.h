/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is in a module's file: .ko, or that compressed by gzip, xz or zstd, told
 * by its first bytes and not by its name.
 */
#ifndef PERFSTAMP_SOURCE_MODULE_CONTENT_H
#define PERFSTAMP_SOURCE_MODULE_CONTENT_H

#include <stddef.h>
#include <stdint.h>

#include "user/parse/elf_note.h"

/* More is no module: the largest, with debug symbols, has 150 MB. */
#define MODULE_CONTENT_MAX (256u << 20)

/*
 * Reads all of the regular file at @path, decompressed, into memory that is the
 * caller's to free. 0; -EFBIG beyond MODULE_CONTENT_MAX; -EBADMSG where it is
 * compressed and damaged; -ENOMEM; -ENOTSUP for what is no regular file; -errno.
 */
int module_content__read(const char *path, uint8_t **ret, size_t *ret_size);
/*
 * Its build-id, without more of it in memory than that takes: as
 * elf_build_id__read (parse/elf_build_id.h), or as module_content__read.
 */
int module_content__build_id(const char *path, uint8_t ret[ELF_BUILD_ID_MAX]);

#endif
