// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel writes at data_head, we read up to it and then move data_tail.
 * Records are multiples of 8 bytes and the ring's size is a power of two, so a
 * header never lies over the end; a record's body can.
 */
#include "user/source/perf/ring.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "user/parse/event/record_scan.h"

/* perf_event_header.size is 16 bits wide. */
#define RECORD_MAX 65536

struct perf_ring {
	int fd;
	int cpu;
	size_t size; /* bytes of data */
	size_t map_size;
	struct perf_event_mmap_page *control;
	const unsigned char *data;
	struct record_layout layout;   /* .other_size 0: not known */
	perf_ring_prepare_fn *prepare; /* NULL: records are passed on unchanged */
	void *prepare_ctx;
	unsigned char *copy; /* for changed records: the ring must not be written to */
	unsigned char joined[RECORD_MAX];
};

int perf_ring__new(struct perf_ring **ret, int fd, int cpu, size_t pages)
{
	size_t page_size = sysconf(_SC_PAGESIZE);
	struct perf_ring *ring;
	void *base;

	if (!pages || pages & (pages - 1))
		return -EINVAL;
	ring = calloc(1, sizeof(*ring));
	if (!ring)
		return -ENOMEM;
	ring->fd = fd;
	ring->cpu = cpu;
	ring->size = pages * page_size;
	ring->map_size = ring->size + page_size;
	base = mmap(NULL, ring->map_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (base == MAP_FAILED) {
		int r = -errno;

		free(ring);
		return r;
	}
	ring->control = base;
	/* data_offset is there since Linux 4.1 and has always been one page. */
	ring->data = (unsigned char *)base + page_size;
	*ret = ring;
	return 0;
}

void perf_ring__expect(struct perf_ring *ring, uint64_t sample_type)
{
	ring->layout = record_layout__of(sample_type);
}

void perf_ring__free(struct perf_ring *ring)
{
	if (!ring)
		return;
	munmap(ring->control, ring->map_size);
	free(ring->copy);
	free(ring);
}

static uint64_t ring_head(const struct perf_ring *ring)
{
	/* Pairs with the kernel's barrier between writing records and data_head. */
	return __atomic_load_n(&ring->control->data_head, __ATOMIC_ACQUIRE);
}

static void ring_release(struct perf_ring *ring, uint64_t tail)
{
	/* The kernel may overwrite what lies before data_tail: we must be done with that. */
	__atomic_store_n(&ring->control->data_tail, tail, __ATOMIC_RELEASE);
}

static size_t record_size(const struct perf_ring *ring, uint64_t at)
{
	const struct perf_event_header *header = (const void *)(ring->data + at % ring->size);

	return header->size;
}

/*
 * Returns the end of the last whole record that begins at or after @at and ends at or before the
 * ring's end. *@ret_crossing is the size of the record that lies over the ring's end, or 0.
 */
static uint64_t find_wrap(
	const struct perf_ring *ring, uint64_t at, size_t *ret_crossing, bool *ret_bad)
{
	uint64_t wrap = at - at % ring->size + ring->size;

	while (at < wrap) {
		size_t size = record_size(ring, at);

		if (size < sizeof(struct perf_event_header) || size % 8) {
			*ret_bad = true;
			return at;
		}
		if (at + size > wrap) {
			*ret_crossing = size;
			return at;
		}
		at += size;
	}
	return at;
}

struct reading {
	perf_ring_fit_fn *fit; /* NULL: all */
	perf_ring_read_fn *fn;
	void *ctx;
	bool ended; /* .fit has rejected the rest */
};

static int make_copy(struct perf_ring *ring)
{
	if (!ring->copy)
		ring->copy = malloc(ring->size);
	return ring->copy ? 0 : -ENOMEM;
}

/* Passes on the @size bytes at @records, whose position in the ring is @from. */
static int hand_out(struct perf_ring *ring, struct reading *reading, const void *records,
	uint64_t from, size_t size)
{
	bool early = ring->layout.other_size;
	size_t taken = size;
	int r;

	if (!size || reading->ended)
		return 0;
	early = early && record_trailers__are_early(&ring->layout, records, size);
	/* Without memory for a copy, trailers stay where the kernel wrote them. */
	if (early && make_copy(ring))
		early = false;
	if (ring->prepare || early) {
		memcpy(ring->copy, records, size);
		records = ring->copy;
	}
	if (early)
		record_trailers__move(&ring->layout, ring->copy, size);
	if (ring->prepare)
		ring->prepare(ring->prepare_ctx, ring->copy, size);
	if (reading->fit)
		taken = reading->fit(reading->ctx, records, size);
	reading->ended = taken < size;
	r = taken ? reading->fn(reading->ctx, records, taken) : 0;
	ring_release(ring, from + taken);
	return r;
}

int perf_ring__prepare(struct perf_ring *ring, perf_ring_prepare_fn *fn, void *ctx)
{
	if (make_copy(ring))
		return -ENOMEM;
	ring->prepare = fn;
	ring->prepare_ctx = ctx;
	return 0;
}

int perf_ring__read(struct perf_ring *ring, perf_ring_read_fn *fn, void *ctx, struct error *err)
{
	return perf_ring__read_some(ring, NULL, fn, ctx, err);
}

int perf_ring__read_some(struct perf_ring *ring, perf_ring_fit_fn *fit, perf_ring_read_fn *fn,
	void *ctx, struct error *err)
{
	struct reading reading = {.fit = fit, .fn = fn, .ctx = ctx};
	uint64_t head = ring_head(ring);
	uint64_t tail = ring->control->data_tail; /* only we write data_tail */
	uint64_t wrap = tail - tail % ring->size + ring->size;
	size_t crossing = 0;
	bool bad = false;
	uint64_t end;
	size_t first;
	int r;

	if (head == tail)
		return 0;
	if (head - tail > ring->size)
		goto bad;
	if (head <= wrap)
		return hand_out(ring, &reading, ring->data + tail % ring->size, tail, head - tail);
	end = find_wrap(ring, tail, &crossing, &bad);
	if (bad || end + crossing > head)
		goto bad;
	r = hand_out(ring, &reading, ring->data + tail % ring->size, tail, end - tail);
	if (r)
		return r;
	if (crossing && !reading.ended) {
		first = wrap - end;
		memcpy(ring->joined, ring->data + end % ring->size, first);
		memcpy(ring->joined + first, ring->data, crossing - first);
		r = hand_out(ring, &reading, ring->joined, end, crossing);
		end += crossing;
		if (r)
			return r;
	}
	return hand_out(ring, &reading, ring->data + end % ring->size, end, head - end);
bad:
	ring_release(ring, head);
	return error__set(
		err, -EBADMSG, "ring of CPU %d: no valid record where one must begin", ring->cpu);
}

size_t perf_ring__used(const struct perf_ring *ring)
{
	return ring_head(ring) - ring->control->data_tail;
}

size_t perf_ring__size(const struct perf_ring *ring)
{
	return ring->size;
}

int perf_ring__fd(const struct perf_ring *ring)
{
	return ring->fd;
}

int perf_ring__cpu(const struct perf_ring *ring)
{
	return ring->cpu;
}
