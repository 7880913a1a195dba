/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copies of files for the store. Never a second name of the same file: that would
 * change with it.
 */
#ifndef PERFSTAMP_STORE_COPY_H
#define PERFSTAMP_STORE_COPY_H

#include <stddef.h>

/*
 * Copies all of the file @from to the empty file @to: shares the blocks where the
 * file system can (FICLONE), else copies them, holes left as they are. 0 or -errno.
 */
int copy__file(int from, int to);
/* Writes all of @bytes. 0 or -errno. */
int copy__bytes(int to, const void *bytes, size_t size);

#endif
