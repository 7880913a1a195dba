/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The reader's input: a file, a pipe or memory, read through one window. Does not know the format.
 */
#ifndef PERFSTAMP_PERFDATA_INPUT_H
#define PERFSTAMP_PERFDATA_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct input {
	int fd;
	bool owns_fd;
	bool seekable;
	const uint8_t *memory; /* NULL: read from fd */
	uint64_t file_size;    /* size when a seekable file was opened; otherwise UINT64_MAX */
	uint64_t offset;       /* offset of the next byte */
	uint64_t end;          /* reading ends at this offset */
	uint8_t *window;
	size_t start; /* the unread part of the window */
	size_t length;
};

/* The largest @size for input__peek(). */
#define INPUT_PEEK_MAX 65536

/* Returns 0, or -errno of fstat or malloc. The caller keeps @fd, unless it sets .owns_fd. */
int input__open_fd(struct input *in, int fd);
void input__open_memory(struct input *in, const void *bytes, size_t size);
void input__close(struct input *in);

/*
 * Returns the next @size bytes without consuming them; they are valid until the next call. The
 * result is their number, which is below @size only at the end, or -errno.
 */
ssize_t input__peek(struct input *in, size_t size, const void **ret);
/* Consumes bytes returned by input__peek(). */
void input__take(struct input *in, size_t size);
/* Skips @size bytes. Returns 0, or -EBADMSG if there are fewer. */
int input__skip(struct input *in, uint64_t size);
/*
 * Copies a stream, of which nothing has been consumed, to an unnamed temporary file, and reads that
 * file from then on: the input is then seekable. Returns 0 or -errno.
 */
int input__make_seekable(struct input *in);
/* Continues at @offset, and ends at @end. Only for seekable inputs. */
void input__seek(struct input *in, uint64_t offset, uint64_t end);
/*
 * Reads @size bytes at @offset. Only for seekable inputs. Returns 0, or -EBADMSG if they are not
 * within the file.
 */
int input__read_at(struct input *in, uint64_t offset, void *dst, size_t size);

#endif
