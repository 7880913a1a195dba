// SPDX-License-Identifier: GPL-2.0-only
/*
 * See flight.h. A piece is a memfd that the file writer writes, so it can be swapped out,
 * and cgroups account it as the recorder's memory.
 */
#include "user/record/files/flight.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "user/base/array.h"
#include "user/perfdata/layout.h"

/*
 * More pieces take more space for their initial states. With fewer, more is dropped at once. Short
 * pieces, or pieces with few records, would consist of little more than their initial state.
 */
#define PIECES 8
#define PIECE_LEAST_NS 1000000000ull
#define OWN_SHARE 4 /* minimum size of a piece, as a multiple of its initial state */

/*
 * Each request of a file ends a piece, even if the file cannot be written. The number is
 * limited, because each piece is an open file.
 */
#define PIECES_MOST 64

#define COPY_SIZE (1u << 20)

struct piece {
	int fd;
	uint64_t begin_ns; /* monotonic */
	uint64_t data;     /* offset of its records in the file */
	uint64_t own;      /* offset of the records after the initial state */
	uint64_t size;
};

struct flight {
	struct flight_bounds bounds;
	struct piece *v; /* the oldest first */
	size_t n;
	size_t room;
};

int flight__new(struct flight **ret, const struct flight_bounds *bounds)
{
	struct flight *flight = calloc(1, sizeof(*flight));

	if (!flight)
		return -ENOMEM;
	flight->bounds = *bounds;
	*ret = flight;
	return 0;
}

static void drop_oldest(struct flight *flight, size_t n)
{
	for (size_t i = 0; i < n; i++)
		close(flight->v[i].fd);
	flight->n -= n;
	memmove(flight->v, flight->v + n, flight->n * sizeof(*flight->v));
}

void flight__free(struct flight *flight)
{
	if (!flight)
		return;
	drop_oldest(flight, flight->n);
	free(flight->v);
	free(flight);
}

int flight__begin(struct flight *flight, uint64_t now_ns, int *ret_fd, struct error *err)
{
	if (array__reserve(&flight->v, &flight->room, flight->n + 1, sizeof(*flight->v)))
		return error__set(err, -ENOMEM, "out of memory");
	*ret_fd = memfd_create("perfstamp", MFD_CLOEXEC);
	if (*ret_fd < 0)
		return error__errno(err, -errno, "memory for the flight recorder");
	flight->v[flight->n++] = (struct piece){.fd = *ret_fd, .begin_ns = now_ns};
	return 0;
}

static struct piece *newest(const struct flight *flight)
{
	return &flight->v[flight->n - 1];
}

void flight__begun(struct flight *flight, uint64_t data, uint64_t own)
{
	newest(flight)->data = data;
	newest(flight)->own = newest(flight)->size = own;
}

bool flight__is_full(const struct flight *flight, uint64_t size, uint64_t now_ns)
{
	const struct piece *piece = newest(flight);
	const struct flight_bounds *bounds = &flight->bounds;
	uint64_t piece_ns = bounds->ns / PIECES;

	if (piece_ns < PIECE_LEAST_NS)
		piece_ns = PIECE_LEAST_NS;
	/* An empty piece can be used again. */
	if (size <= piece->own)
		return false;
	if (bounds->ns && now_ns - piece->begin_ns >= piece_ns)
		return true;
	return size >= bounds->bytes / PIECES &&
	       size - piece->own >= OWN_SHARE * (piece->own - piece->data);
}

void flight__grown(struct flight *flight, uint64_t size)
{
	newest(flight)->size = size;
}

uint64_t flight__bytes(const struct flight *flight)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < flight->n; i++)
		bytes += flight->v[i].size;
	return bytes;
}

size_t flight__trim(struct flight *flight, uint64_t now_ns)
{
	const struct flight_bounds *bounds = &flight->bounds;
	uint64_t bytes = flight__bytes(flight);
	size_t n = 0;

	while (n + 2 < flight->n &&
		(flight->n - n > PIECES_MOST || bytes > bounds->bytes ||
			(bounds->ns && now_ns - flight->v[n + 1].begin_ns >= bounds->ns)))
		bytes -= flight->v[n++].size;
	drop_oldest(flight, n);
	return n;
}

size_t flight__reset(struct flight *flight)
{
	size_t n = flight->n - 1;

	drop_oldest(flight, n);
	return n;
}

size_t flight__n(const struct flight *flight)
{
	return flight->n;
}

uint64_t flight__begin_ns(const struct flight *flight)
{
	return flight->v[0].begin_ns;
}

uint64_t flight__begin_size(const struct flight *flight)
{
	return flight->v[0].own - flight->v[0].data;
}

/* ---- To a file ---- */

static int copy_mark(struct perfdata_writer *writer, uint32_t type, struct error *err)
{
	return type == PERF_RECORD_FINISHED_INIT ? perfdata_writer__finish_init(writer, err)
						 : perfdata_writer__finish_round(writer, err);
}

/* Copies whole records of @size bytes, including marks. *@ret_done: bytes of whole records. */
static int copy_records(struct perfdata_writer *writer, const char *bytes, size_t size,
	size_t *ret_done, struct error *err)
{
	size_t from = 0, at = 0;
	int code = 0;

	while (!code && size - at >= sizeof(struct perf_event_header)) {
		struct perf_event_header header;

		memcpy(&header, bytes + at, sizeof(header));
		if (header.size < sizeof(header))
			return error__set(
				err, -EBADMSG, "memory of the flight recorder: not a record");
		if (header.size > size - at)
			break;
		if (header.size == sizeof(header)) {
			code = at > from
				       ? perfdata_writer__raw(writer, bytes + from, at - from, err)
				       : 0;
			if (!code)
				code = copy_mark(writer, header.type, err);
			from = at + header.size;
		}
		at += header.size;
	}
	if (!code && at > from)
		code = perfdata_writer__raw(writer, bytes + from, at - from, err);
	*ret_done = at;
	return code;
}

static int copy_span(int fd, uint64_t at, uint64_t end, char *bytes, struct perfdata_writer *writer,
	struct error *err)
{
	size_t done = 0;
	int code = 0;

	while (!code && at < end) {
		size_t size = end - at < COPY_SIZE ? end - at : COPY_SIZE;
		ssize_t n = pread(fd, bytes, size, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error__errno(err, -errno, "memory of the flight recorder");
		code = copy_records(writer, bytes, n, &done, err);
		if (!code && !done)
			return error__set(err, -EBADMSG,
				"memory of the flight recorder: it ends inside a record");
		at += done;
	}
	return code;
}

int flight__copy(const struct flight *flight, struct perfdata_writer *writer, struct error *err)
{
	char *bytes = malloc(COPY_SIZE);
	int code = 0;

	if (!bytes)
		return error__set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; !code && i < flight->n; i++) {
		const struct piece *piece = &flight->v[i];

		code = copy_span(
			piece->fd, i ? piece->own : piece->data, piece->size, bytes, writer, err);
	}
	free(bytes);
	return code;
}
