// SPDX-License-Identifier: GPL-2.0-only
/* See request.h. A request begins with its size in bytes. */
#include "user/symbols/request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/cursor.h"
#include "user/io/whole.h"

enum {
	LINES = 1 << 0,
	SOURCES = 1 << 1,
	INLINED = 1 << 2,
	ADDRESSES_ONLY = 1 << 3,
	DEMANGLE = 1 << 4,
	DEBUGINFOD = 1 << 5,
	FORCE = 1 << 6,
	SHARED = 1 << 7,
	THIS_KERNEL = 1 << 8,
};

/* Writes a text: one byte, which is 0 for NULL, then the text with its NUL. */
static void put_text(struct buffer *buffer, const char *text)
{
	buffer__u8(buffer, text != NULL);
	if (text)
		buffer__append(buffer, text, strlen(text) + 1);
}

static const char *take_text(struct cursor *cursor)
{
	return cursor__u8(cursor) ? cursor__string(cursor) : NULL;
}

static uint32_t flags_of(const struct symbols_options *options, const struct symbols_dso *dso)
{
	return (options->lines ? LINES : 0) | (options->sources ? SOURCES : 0) |
	       (options->inlined ? INLINED : 0) | (options->addresses_only ? ADDRESSES_ONLY : 0) |
	       (options->demangle ? DEMANGLE : 0) | (options->debuginfod ? DEBUGINFOD : 0) |
	       (options->force ? FORCE : 0) | (dso->shared ? SHARED : 0) |
	       (dso->this_kernel ? THIS_KERNEL : 0);
}

void symbols_request__write(struct buffer *ret, const struct symbols_options *options,
	const struct symbols_dso *dso, const uint64_t *offsets, size_t n)
{
	const size_t start = ret->size;
	uint64_t size = 0;

	buffer__u64(ret, size);
	buffer__u32(ret, flags_of(options, dso));
	put_text(ret, options->store);
	put_text(ret, options->embedded);
	put_text(ret, options->kallsyms);
	put_text(ret, options->symfs);
	put_text(ret, options->vmlinux);
	put_text(ret, dso->path);
	buffer__append(ret, dso->identity, sizeof(*dso->identity));
	buffer__u32(ret, dso->text);
	buffer__u64(ret, dso->map_pgoff);
	buffer__u64(ret, dso->map_len);
	put_text(ret, dso->reference);
	put_text(ret, dso->osrelease);
	buffer__u64(ret, n);
	buffer__append(ret, offsets, n * sizeof(*offsets));
	if (ret->error)
		return;
	size = ret->size - start - sizeof(size);
	memcpy(ret->data + start, &size, sizeof(size));
}

static void take(struct symbols_request *ret, struct cursor *cursor)
{
	struct symbols_options *options = &ret->options;
	struct symbols_dso *dso = &ret->dso;
	const uint32_t flags = cursor__u32(cursor);

	options->lines = flags & LINES;
	options->sources = flags & SOURCES;
	options->inlined = flags & INLINED;
	options->addresses_only = flags & ADDRESSES_ONLY;
	options->demangle = flags & DEMANGLE;
	options->debuginfod = flags & DEBUGINFOD;
	options->force = flags & FORCE;
	dso->shared = flags & SHARED;
	dso->this_kernel = flags & THIS_KERNEL;
	options->store = take_text(cursor);
	options->embedded = take_text(cursor);
	options->kallsyms = take_text(cursor);
	options->symfs = take_text(cursor);
	options->vmlinux = take_text(cursor);
	dso->path = take_text(cursor);
	cursor__copy(cursor, &ret->identity, sizeof(ret->identity));
	dso->identity = &ret->identity;
	dso->text = cursor__u32(cursor);
	dso->map_pgoff = cursor__u64(cursor);
	dso->map_len = cursor__u64(cursor);
	dso->reference = take_text(cursor);
	dso->osrelease = take_text(cursor);
	ret->n = cursor__u64(cursor);
}

int symbols_request__read(struct symbols_request *ret, int fd)
{
	struct cursor cursor;
	uint64_t size;

	*ret = (struct symbols_request){0};
	if (whole__read(fd, &size, sizeof(size)) != sizeof(size))
		return -EBADMSG;
	ret->bytes = malloc(size);
	if (!ret->bytes)
		return -ENOMEM;
	if (whole__read(fd, ret->bytes, size) != (ssize_t)size)
		return -EBADMSG;
	cursor__init(&cursor, ret->bytes, size, false);
	take(ret, &cursor);
	if (cursor.failed || ret->n > cursor__remaining(&cursor) / sizeof(*ret->offsets))
		return -EBADMSG;
	/* The offsets are copied, because they may be unaligned in the message. */
	ret->offsets = calloc(ret->n + 1, sizeof(*ret->offsets));
	if (!ret->offsets)
		return -ENOMEM;
	cursor__copy(&cursor, ret->offsets, ret->n * sizeof(*ret->offsets));
	return 0;
}
