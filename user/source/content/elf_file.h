/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads build-ids of files on disk, whatever their contents are. Does not know mappings: a process
 * may run other content than its path has now.
 */
#ifndef PERFSTAMP_SOURCE_ELF_FILE_H
#define PERFSTAMP_SOURCE_ELF_FILE_H

#include <stdint.h>

#include "user/parse/elf/build_id.h"

/* elf_build_id__read (parse/elf/build_id.h) for the regular file at @path; or -errno. */
int elf_file__build_id(const char *path, uint8_t ret[ELF_BUILD_ID_MAX]);

#endif
