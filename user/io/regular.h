/* SPDX-License-Identifier: GPL-2.0-only */
/* Opens regular files, and nothing else: to open a FIFO or a device may wait, or have effects. */
#ifndef PERFSTAMP_IO_REGULAR_H
#define PERFSTAMP_IO_REGULAR_H

/*
 * Opens the regular file @path for reading, without waiting for a writer. Returns a descriptor,
 * -ENOENT if @path is not a regular file, or -errno.
 */
int regular__open(const char *path);
/*
 * Returns the descriptor @fd if it is a regular file. Otherwise closes it and returns -ENOENT.
 * Below 0, @fd stands for a failed call, and -errno is returned.
 */
int regular__take(int fd);

#endif
