/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads build-ids of files on disk, whatever their contents are. Does not know any mapping:
 * what is at a path need not be what runs.
 */
#ifndef PERFSTAMP_SOURCE_ELF_FILE_H
#define PERFSTAMP_SOURCE_ELF_FILE_H

#include <stdint.h>

#include "user/parse/elf/build_id.h"

/* As elf_build_id__read (parse/elf/build_id.h), of the regular file at @path; or -errno. */
int elf_file__build_id(const char *path, uint8_t ret[ELF_BUILD_ID_MAX]);

#endif
