// SPDX-License-Identifier: GPL-2.0-only
/*
 * See input.h.
 */
#include "user/perfdata/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/io/whole.h"

#define WINDOW_SIZE (4 * INPUT_PEEK_MAX)
#define ALIGNMENT 8 /* records that are aligned in the file are also aligned in the window */

int input__open_fd(struct input *in, int fd)
{
	struct stat st;

	*in = (struct input){.fd = fd, .file_size = UINT64_MAX, .end = UINT64_MAX};
	if (fstat(fd, &st))
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (S_ISREG(st.st_mode)) {
		in->seekable = true;
		in->file_size = in->end = st.st_size;
	}
	in->window = malloc(WINDOW_SIZE);
	return in->window ? 0 : -ENOMEM;
}

void input__open_memory(struct input *in, const void *bytes, size_t size)
{
	*in = (struct input){
		.fd = -1, .seekable = true, .memory = bytes, .file_size = size, .end = size};
}

void input__close(struct input *in)
{
	free(in->window);
	if (in->owns_fd)
		close(in->fd);
	*in = (struct input){.fd = -1};
}

static ssize_t read_some(struct input *in, void *dst, size_t size, uint64_t offset)
{
	ssize_t n;

	do
		n = in->seekable ? pread(in->fd, dst, size, offset) : read(in->fd, dst, size);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

/* Moves the unread bytes to the beginning of the window. */
static void make_room(struct input *in)
{
	size_t to = in->offset % ALIGNMENT;

	if (in->start == to)
		return;
	memmove(in->window + to, in->window + in->start, in->length);
	in->start = to;
}

ssize_t input__peek(struct input *in, size_t size, const void **ret)
{
	uint64_t left = in->end - in->offset;

	if (size > left)
		size = left;
	if (in->memory) {
		*ret = in->memory + in->offset;
		return size;
	}
	if (in->length < size)
		make_room(in);
	while (in->length < size) {
		uint64_t room = WINDOW_SIZE - in->start - in->length;
		uint64_t unread = left - in->length;
		ssize_t n = read_some(in, in->window + in->start + in->length,
			room < unread ? room : unread, in->offset + in->length);

		if (n < 0)
			return n;
		if (n == 0)
			break;
		in->length += n;
	}
	*ret = in->window + in->start;
	return in->length < size ? in->length : size;
}

void input__take(struct input *in, size_t size)
{
	in->offset += size;
	if (in->memory)
		return;
	in->start += size;
	in->length -= size;
}

int input__skip(struct input *in, uint64_t size)
{
	if (size > in->end - in->offset)
		return -EBADMSG;
	if (in->seekable) {
		input__seek(in, in->offset + size, in->end);
		return 0;
	}
	while (size) {
		size_t step = size < INPUT_PEEK_MAX ? size : INPUT_PEEK_MAX;
		const void *bytes;
		ssize_t n = input__peek(in, step, &bytes);

		if (n < 0)
			return n;
		if (n == 0)
			return -EBADMSG;
		input__take(in, n);
		size -= n;
	}
	return 0;
}

int input__make_seekable(struct input *in)
{
	FILE *copy = tmpfile();
	const void *bytes;
	uint64_t size = 0;
	ssize_t n = 0;
	int code = 0, fd;

	if (!copy)
		return -errno;
	while (!code && (n = input__peek(in, 1, &bytes)) > 0) {
		n = in->length;
		code = whole__write(fileno(copy), in->window + in->start, n);
		input__take(in, n);
		size += n;
	}
	fd = n < 0 || code ? -1 : fcntl(fileno(copy), F_DUPFD_CLOEXEC, 0);
	if (fd < 0 && !code)
		code = n < 0 ? n : -errno;
	fclose(copy);
	if (code)
		return code;
	if (in->owns_fd)
		close(in->fd);
	*in = (struct input){
		.fd = fd,
		.owns_fd = true,
		.seekable = true,
		.file_size = size,
		.end = size,
		.window = in->window,
	};
	return 0;
}

void input__seek(struct input *in, uint64_t offset, uint64_t end)
{
	uint64_t ahead = offset - in->offset;

	if (offset >= in->offset && ahead <= in->length) {
		in->start += ahead;
		in->length -= ahead;
	} else {
		in->start = offset % ALIGNMENT;
		in->length = 0;
	}
	in->offset = offset;
	in->end = end;
	if (in->length > end - offset)
		in->length = end - offset;
}

int input__read_at(struct input *in, uint64_t offset, void *dst, size_t size)
{
	uint8_t *to = dst;

	if (offset > in->file_size || size > in->file_size - offset)
		return -EBADMSG;
	if (in->memory && size)
		memcpy(dst, in->memory + offset, size);
	while (!in->memory && size) {
		ssize_t n = read_some(in, to, size, offset);

		if (n < 0)
			return n;
		if (n == 0) /* the file became shorter after it was opened */
			return -EBADMSG;
		to += n;
		offset += n;
		size -= n;
	}
	return 0;
}
