/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads small files of /proc and /sys as a whole. Their sizes are not known in advance, and
 * they can disappear at any moment, so errors are -errno without text. Does not know what
 * the files mean.
 */
#ifndef PERFSTAMP_SOURCE_PROC_FILE_H
#define PERFSTAMP_SOURCE_PROC_FILE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Reads the file whose path is formatted. *@ret is NUL-terminated, and the caller frees it;
 * @ret_size (which may be NULL) does not count the NUL.
 */
int proc_file__read(char **ret, size_t *ret_size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Reads one number, decimal or 0x…; the caller casts a number above INT64_MAX to uint64_t. */
int proc_file__number(int64_t *ret, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
