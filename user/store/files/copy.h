/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copies of files for the store. Never a second name of the same file: that would
 * change with it.
 */
#ifndef PERFSTAMP_STORE_COPY_H
#define PERFSTAMP_STORE_COPY_H

#include <stddef.h>
#include <sys/types.h>

/*
 * Copies all of the file @from to the empty file @to: shares the blocks where the file
 * system can (FICLONE), else copies them, holes left as they are. Returns 0 or -errno.
 */
int copy__file(int from, int to);
/*
 * The bytes from @start to @end, to the same place. Returns 0, -EIO if @from is shorter, or
 * -errno.
 */
int copy__range(int from, int to, off_t start, off_t end);
/* Whether those are the same in both. Returns 0, -ESTALE if they are not, or -errno. */
int copy__compare(int a, int b, off_t start, off_t end);

#endif
