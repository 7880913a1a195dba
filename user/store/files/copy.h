/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copies files for the store. A hard link would change with the original, so no function makes one.
 */
#ifndef PERFSTAMP_STORE_COPY_H
#define PERFSTAMP_STORE_COPY_H

#include <stddef.h>
#include <sys/types.h>

/*
 * Copies the whole file @from to the empty file @to. The copy shares the blocks if the file system
 * supports that (FICLONE); otherwise the bytes are copied and holes remain holes. Returns 0 or
 * -errno.
 */
int copy__file(int from, int to);
/*
 * Copies the bytes from @start to @end to the same offset. Returns 0, -EIO if @from is shorter, or
 * -errno.
 */
int copy__range(int from, int to, off_t start, off_t end);
/* Compares these bytes of two files. Returns 0, -ESTALE if they differ, or -errno. */
int copy__compare(int a, int b, off_t start, off_t end);

#endif
