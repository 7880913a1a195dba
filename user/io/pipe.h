/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writing to a pipe whose reader is slow, has stopped or has ended, in a process that blocks
 * SIGINT and SIGTERM: write(2) would block, and the signals would have no effect. Does not know
 * what the bytes are.
 */
#ifndef PERFSTAMP_IO_PIPE_H
#define PERFSTAMP_IO_PIPE_H

#include <stddef.h>

/*
 * Waits until the pipe has a reader. @fd must be open for writing alone. Returns 0, -EINTR if one
 * of the signals is pending, or -errno.
 */
int pipe__await_reader(int fd);
/*
 * Writes @size bytes; stores in @ret_done how many were written. Returns 0, -EPIPE without a
 * reader, -ETIMEDOUT if one of the signals is pending and nothing was read for three seconds, or
 * -errno.
 */
int pipe__write(int fd, const void *bytes, size_t size, size_t *ret_done);

#endif
