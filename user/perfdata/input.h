/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The reader's input, from a file, a pipe or memory, read through one window. Does not know
 * the format.
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
	uint64_t file_size;    /* of a seekable file when it was opened; else UINT64_MAX */
	uint64_t offset;       /* of the next byte */
	uint64_t end;          /* nothing is read from now on */
	uint8_t *window;
	size_t start; /* of what is in the window */
	size_t length;
};

/* The most that input__peek can be asked for. */
#define INPUT_PEEK_MAX 65536

/* 0 or the -errno of fstat or malloc. @fd stays the caller's, unless it sets .owns_fd. */
int input__open_fd(struct input *in, int fd);
void input__open_memory(struct input *in, const void *bytes, size_t size);
void input__close(struct input *in);

/*
 * The next @size bytes without taking them; valid until the next call. Returns
 * how many there are, fewer than @size only at the end, or -errno.
 */
ssize_t input__peek(struct input *in, size_t size, const void **ret);
/* Takes bytes that were peeked at. */
void input__take(struct input *in, size_t size);
/* Passes over @size bytes; -EBADMSG if there are fewer. */
int input__skip(struct input *in, uint64_t size);
/*
 * Copies a stream of which nothing has been taken to a temporary file without a name, and
 * reads that from now on: it is seekable then. Returns 0 or -errno.
 */
int input__make_seekable(struct input *in);
/* Seekable only: where to continue, and where it ends. */
void input__seek(struct input *in, uint64_t offset, uint64_t end);
/* Seekable only: -EBADMSG if that is not all within the file. */
int input__read_at(struct input *in, uint64_t offset, void *dst, size_t size);

#endif
