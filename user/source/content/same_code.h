/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether two files, or a file and a mapping, have the same code, which stripping and
 * prelinking do not change. Does not trust build-ids.
 */
#ifndef PERFSTAMP_SOURCE_SAME_CODE_H
#define PERFSTAMP_SOURCE_SAME_CODE_H

#include <stdint.h>
#include <sys/types.h>

/*
 * 1 if the executable segments of two ELF files have the same bytes, or all bytes of files
 * that are not ELF; 0 where not; or -errno.
 */
int same_code__files(int a, int b);
/* The same for what process @pid has in @len bytes of memory at @addr and @file at @offset. */
int same_code__memory(pid_t pid, uint64_t addr, uint64_t len, int file, uint64_t offset);

#endif
