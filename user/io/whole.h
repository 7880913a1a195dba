/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * read(2) and write(2) until everything is read or written. They continue after a signal or a short
 * count. Do not know what the bytes are.
 */
#ifndef PERFSTAMP_IO_WHOLE_H
#define PERFSTAMP_IO_WHOLE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Writes @size bytes. Returns 0, or -errno after writing none or some of them. */
int whole__write(int fd, const void *bytes, size_t size);
/* The same from byte @offset of the file on. */
int whole__pwrite(int fd, const void *bytes, size_t size, uint64_t offset);

/* Reads up to @size bytes, fewer only at the end of the file. Returns how many, or -errno. */
ssize_t whole__read(int fd, void *ret, size_t size);
/* The same from byte @offset of the file on. */
ssize_t whole__pread(int fd, void *ret, size_t size, uint64_t offset);
/*
 * Reads exactly @size bytes from byte @offset on; @fd points to an int, the descriptor. An
 * elf_read_fn (parse/elf/build_id.h). Returns 0, -EBADMSG if the file is shorter, or
 * -errno.
 */
int whole__read_exactly(void *fd, uint64_t offset, void *ret, size_t size);

#endif
