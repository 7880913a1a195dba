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
 * Returns 1 if the executable segments of two ELF files have the same bytes, or if two files that
 * are not ELF have the same bytes; 0 if not; or -errno.
 */
int same_code__files(int a, int b);
/* Compares memory of process @pid, @len bytes at @addr, with @file at @offset in the same way. */
int same_code__memory(pid_t pid, uint64_t addr, uint64_t len, int file, uint64_t offset);

#endif
