// SPDX-License-Identifier: GPL-2.0-only
/*
 * module_content: see module_content.h. Decompression has a limit, because a file of a few
 * kilobytes may decompress to terabytes.
 */
#include "user/source/kernel/module_content.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "user/base/buffer.h"
#include "user/parse/elf/build_id.h"
#include "user/source/content/elf_file.h"

#define STEP 65536u
/* Memory for the dictionary, which for a module has at most 2 MiB. */
#define XZ_MEMORY_MAX (256u << 20)
#define ZSTD_WINDOW_LOG_MAX 27 /* 128 MiB, zstd's own default limit */

/* The compressed bytes, and where their content goes. */
struct stream {
	const uint8_t *in;
	size_t in_size;
	struct buffer *out;
};

/* Makes room for the next step. Returns NULL, and sets .out->error, without memory. */
static uint8_t *room(struct stream *stream)
{
	return buffer__extend(stream->out, STEP);
}

static void give_back(struct stream *stream, size_t unused)
{
	buffer__truncate(stream->out, stream->out->size - unused);
}

static int unpack_gzip(struct stream *stream)
{
	z_stream z = {.next_in = (uint8_t *)stream->in, .avail_in = stream->in_size};
	int code = Z_OK;

	if (inflateInit2(&z, 16 + MAX_WBITS) != Z_OK)
		return -ENOMEM;
	while (code == Z_OK) {
		z.next_out = room(stream);
		if (!z.next_out)
			break;
		z.avail_out = STEP;
		code = inflate(&z, Z_NO_FLUSH);
		give_back(stream, z.avail_out);
		/* The input ends before the content does. */
		if (code == Z_OK && z.avail_out == STEP)
			code = Z_DATA_ERROR;
	}
	inflateEnd(&z);
	return code == Z_STREAM_END ? 0 : stream->out->error ? stream->out->error : -EBADMSG;
}

static int unpack_xz(struct stream *stream)
{
	lzma_stream xz = LZMA_STREAM_INIT;
	lzma_ret code;

	xz.next_in = stream->in;
	xz.avail_in = stream->in_size;
	code = lzma_stream_decoder(&xz, XZ_MEMORY_MAX, LZMA_CONCATENATED);
	while (code == LZMA_OK) {
		xz.next_out = room(stream);
		if (!xz.next_out)
			break;
		xz.avail_out = STEP;
		code = lzma_code(&xz, LZMA_FINISH);
		give_back(stream, xz.avail_out);
	}
	lzma_end(&xz);
	if (code == LZMA_MEM_ERROR)
		return -ENOMEM;
	return code == LZMA_STREAM_END ? 0 : stream->out->error ? stream->out->error : -EBADMSG;
}

static int unpack_zstd(struct stream *stream)
{
	ZSTD_inBuffer in = {.src = stream->in, .size = stream->in_size};
	ZSTD_DCtx *context = ZSTD_createDCtx();
	size_t left = 1;
	bool stuck = false;

	if (!context)
		return -ENOMEM;
	ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG_MAX);
	while (left && !stuck) {
		ZSTD_outBuffer out = {.dst = room(stream), .size = STEP};

		if (!out.dst)
			break;
		left = ZSTD_decompressStream(context, &out, &in);
		give_back(stream, STEP - out.pos);
		stuck = ZSTD_isError(left) || (left && !out.pos && in.pos == in.size);
	}
	ZSTD_freeDCtx(context);
	return !left ? 0 : stream->out->error ? stream->out->error : -EBADMSG;
}

typedef int unpack_fn(struct stream *stream);

/* Returns NULL if the file is not compressed. */
static unpack_fn *find_format(const uint8_t *bytes, size_t size)
{
	static const struct {
		const char *magic;
		size_t size;
		unpack_fn *unpack;
	} FORMATS[] = {
		{"\x1f\x8b", 2, unpack_gzip},
		{"\xfd"
		 "7zXZ\0",
			6, unpack_xz},
		{"\x28\xb5\x2f\xfd", 4, unpack_zstd},
	};

	for (size_t i = 0; i < sizeof(FORMATS) / sizeof(*FORMATS); i++)
		if (size >= FORMATS[i].size && !memcmp(bytes, FORMATS[i].magic, FORMATS[i].size))
			return FORMATS[i].unpack;
	return NULL;
}

static int read_file(int fd, struct buffer *ret)
{
	ssize_t n;

	for (;;) {
		uint8_t *dst = buffer__extend(ret, STEP);

		if (!dst)
			return ret->error;
		n = read(fd, dst, STEP);
		buffer__truncate(ret, ret->size - STEP + (n > 0 ? (size_t)n : 0));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : 0;
	}
}

static int open_regular(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), code = 0;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0)
		code = -errno;
	else if (!S_ISREG(st.st_mode))
		code = -ENOTSUP;
	if (!code)
		return fd;
	close(fd);
	return code;
}

static int read_packed(const char *path, struct buffer *ret)
{
	int fd = open_regular(path), code;

	buffer__init(ret, MODULE_CONTENT_MAX);
	if (fd < 0)
		return fd;
	code = read_file(fd, ret);
	close(fd);
	return code;
}

int module_content__read(const char *path, uint8_t **ret, size_t *ret_size)
{
	struct buffer packed, content;
	unpack_fn *unpack;
	int code = read_packed(path, &packed);

	unpack = code ? NULL : find_format(packed.data, packed.size);
	if (unpack) {
		struct stream stream = {.in = packed.data, .in_size = packed.size, .out = &content};

		buffer__init(&content, MODULE_CONTENT_MAX);
		code = unpack(&stream);
		buffer__free(&packed);
	} else {
		content = packed;
	}
	if (!code && !content.size)
		code = -EBADMSG;
	if (code) {
		buffer__free(&content);
		return code == -ENOBUFS ? -EFBIG : code;
	}
	*ret = content.data;
	*ret_size = content.size;
	return 0;
}

bool module_content__has_build_id(const char *path, const uint8_t *build_id, size_t size)
{
	uint8_t id[ELF_BUILD_ID_MAX], *bytes;
	int n = elf_file__build_id(path, id);
	size_t length;

	if (n == -ENOEXEC && !module_content__read(path, &bytes, &length)) {
		n = elf_build_id__of(bytes, length, id);
		free(bytes);
	}
	return n > 0 && (size_t)n == size && !memcmp(id, build_id, size);
}
