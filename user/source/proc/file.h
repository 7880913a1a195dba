/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Small files of /proc and /sys, read whole. Their sizes are not known before
 * and they can vanish at every moment, so each function says so by -errno
 * without text. Knows nothing of what the files mean.
 */
#ifndef PERFSTAMP_SOURCE_PROC_FILE_H
#define PERFSTAMP_SOURCE_PROC_FILE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Reads the file whose path the format makes. *@ret is the caller's to free and
 * NUL-terminated; @ret_size (which may be NULL) does not count that NUL.
 */
int proc_file__read(char **ret, size_t *ret_size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Reads one number, decimal or 0x…; one over INT64_MAX is to be cast to uint64_t. */
int proc_file__number(int64_t *ret, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
