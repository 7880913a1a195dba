// SPDX-License-Identifier: GPL-2.0-only
/*
 * See output.h.
 */
#include "user/perfdata/write/output.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/io/pipe.h"
#include "user/io/whole.h"
#include "user/perfdata/layout.h"

#define FLUSH_SIZE (1u << 20) /* bytes; large writes cost less than many small ones */

int output__init(struct output *out, int fd, const char *name)
{
	struct stat st;

	*out = (struct output){.fd = fd, .name = strdup(name)};
	out->is_pipe = !fstat(fd, &st) && S_ISFIFO(st.st_mode);
	buffer__init(&out->pending, 0);
	return out->name ? 0 : -ENOMEM;
}

void output__free(struct output *out)
{
	buffer__free(&out->pending);
	free(out->name);
}

void output__begin_records(struct output *out, uint64_t data_offset)
{
	out->in_records = true;
	out->data_offset = data_offset;
}

void output__end_records(struct output *out)
{
	out->in_records = false;
}

void output__keep_behind(struct output *out, const struct perfdata_section *sections, size_t n)
{
	out->tail_size = n * sizeof(*sections);
	memcpy(out->tail, sections, out->tail_size);
}

bool output__is_near_tail(const struct output *out)
{
	return out->tail_at && output__position(out) - out->tail_at < out->tail_size;
}

uint64_t output__position(const struct output *out)
{
	return out->written + out->pending.size;
}

static int stuck(const struct output *out, struct error *err)
{
	if (err && out->stuck)
		*err = out->stuck_text;
	return out->stuck;
}

static int stick(struct output *out, int code, const char *what, struct error *err)
{
	if (!out->stuck)
		out->stuck = error__errno(&out->stuck_text, code, "%s: %s", out->name, what);
	return stuck(out, err);
}

/* Continues after -EINTR and short writes. */
static int write_all(int fd, const uint8_t *bytes, size_t size, size_t *ret_done)
{
	size_t done = 0;
	int err = 0;

	while (done < size) {
		ssize_t n = write(fd, bytes + done, size - done);

		if (n > 0) {
			done += n;
		} else if (n == 0 || errno != EINTR) {
			err = n == 0 ? -ENOSPC : -errno;
			break;
		}
	}
	*ret_done = done;
	return err;
}

static int put_data_size(struct output *out)
{
	uint64_t size = out->written - out->data_offset;

	return whole__pwrite(out->fd, (const uint8_t *)&size, sizeof(size),
		offsetof(struct perfdata_header, data) + offsetof(struct perfdata_section, size));
}

/* Returns how many of the @size bytes at @at overlap the tail, which begins at or before @at. */
static size_t behind_tail(const struct output *out, uint64_t at, size_t size)
{
	uint64_t end = out->tail_at + out->tail_size;

	if (!out->in_records || !out->tail_at || at >= end)
		return 0;
	return end - at < size ? end - at : size;
}

/* Writes the pending bytes, except those at the place of the tail. */
static int write_around_tail(struct output *out, size_t *ret_done)
{
	size_t held = behind_tail(out, out->written, out->pending.size);
	int err;

	*ret_done = 0;
	if (held)
		memcpy(out->held + (out->written - out->tail_at), out->pending.data, held);
	if (lseek(out->fd, out->written + held, SEEK_SET) < 0)
		return -errno;
	err = write_all(out->fd, out->pending.data + held, out->pending.size - held, ret_done);
	*ret_done += held;
	return err;
}

/*
 * Writes the new tail, then the size, which makes it valid, then the records that the old tail held
 * back.
 */
static int move_tail(struct output *out)
{
	uint64_t old = out->tail_at;
	int err;

	if (old && out->written - old < out->tail_size)
		return 0;
	err = whole__pwrite(out->fd, out->tail, out->tail_size, out->written);
	if (!err)
		err = put_data_size(out);
	if (err)
		return err;
	out->tail_at = out->written;
	return old ? whole__pwrite(out->fd, out->held, out->tail_size, old) : 0;
}

static int checkpoint(struct output *out)
{
	int err = out->tail_size ? move_tail(out) : put_data_size(out);

	if (!err)
		out->samples_kept = out->samples_written;
	return err;
}

/*
 * Returns how many of the first @size pending bytes are whole records that are not compressed, and
 * adds the number of their samples.
 */
static size_t whole_records(const struct buffer *pending, size_t size, uint64_t *samples)
{
	size_t at = 0;

	while (size - at >= sizeof(struct perf_event_header)) {
		struct perf_event_header header;

		memcpy(&header, pending->data + at, sizeof(header));
		if (header.size < sizeof(header) || header.size > size - at ||
			header.type == PERF_RECORD_COMPRESSED)
			break;
		*samples += header.type == PERF_RECORD_SAMPLE;
		at += header.size;
	}
	return at;
}

int output__flush(struct output *out, struct error *err)
{
	size_t done;
	int ret;

	if (out->stuck)
		return stuck(out, err);
	if (out->pending.error)
		return stick(out, out->pending.error, "cannot buffer", err);
	if (out->tail_size)
		ret = write_around_tail(out, &done);
	else if (out->is_pipe)
		ret = pipe__write(out->fd, out->pending.data, out->pending.size, &done);
	else
		ret = write_all(out->fd, out->pending.data, out->pending.size, &done);
	if (!ret) {
		out->written += done;
		out->samples_written = out->samples;
		buffer__reset(&out->pending);
		return 0;
	}
	ret = stick(out, ret, ret == -ETIMEDOUT ? "its reader does not read" : "cannot write", err);
	if (out->in_records) {
		/*
		 * Keeps the bytes that were written valid. The block of the header already exists,
		 * so this works on a full disk. In a pipe it fails, which has no effect.
		 */
		out->written += whole_records(&out->pending, done, &out->samples_written);
		checkpoint(out);
	}
	buffer__reset(&out->pending);
	return ret;
}

int output__flush_if_full(struct output *out, struct error *err)
{
	if (out->stuck) {
		/* If a caller ignores the error, memory must not fill up. */
		buffer__reset(&out->pending);
		return stuck(out, err);
	}
	return out->pending.size >= FLUSH_SIZE ? output__flush(out, err) : 0;
}

int output__checkpoint(struct output *out, struct error *err)
{
	int ret;

	if (out->stuck)
		return stuck(out, err);
	ret = checkpoint(out);
	return ret ? stick(out, ret, "cannot rewrite the header", err) : 0;
}

int output__rewrite(
	struct output *out, uint64_t offset, const void *bytes, size_t size, struct error *err)
{
	int ret;

	if (out->stuck)
		return stuck(out, err);
	ret = whole__pwrite(out->fd, bytes, size, offset);
	return ret ? stick(out, ret, "cannot rewrite the header", err) : 0;
}

int output__put_header(
	struct output *out, uint64_t data_end, const uint64_t *bits, struct error *err)
{
	struct perfdata_header header = {.data = {out->data_offset, data_end - out->data_offset}};
	int ret;

	/* data.size and the feature bits are written at once, so that both change together. */
	memcpy(header.features, bits, sizeof(header.features));
	ret = output__rewrite(out, offsetof(struct perfdata_header, data), &header.data,
		sizeof(header) - offsetof(struct perfdata_header, data), err);
	if (!ret && out->tail_at)
		ret = output__rewrite(out, out->tail_at, out->held, out->tail_size, err);
	return ret;
}
