/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One perf ring buffer: shared memory that the kernel fills and we empty. Passes on whole
 * records and copies only those that wrap around the end. Does not know what the records
 * mean. The protocol is that of include/uapi/linux/perf_event.h, struct
 * perf_event_mmap_page.
 */
#ifndef PERFSTAMP_SOURCE_PERF_RING_H
#define PERFSTAMP_SOURCE_PERF_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"

struct perf_ring;

/*
 * Called with @size bytes of whole records, in the order in which they were written. They are valid
 * during the call. A nonzero result ends the reading and is returned; the records passed to that
 * call count as read.
 */
typedef int perf_ring_read_fn(void *ctx, const void *records, size_t size);

/*
 * Maps the ring of event @fd with @pages data pages, a power of two. The caller keeps @fd, which
 * must outlive the ring. @cpu is what perf_ring__cpu returns. Returns 0 or -errno from mmap without
 * text: a caller who knows the limits explains it (-EPERM: over the mlock limit).
 */
int perf_ring__new(struct perf_ring **ret, int fd, int cpu, size_t pages);
/* Sets the format of its records. Their trailers are then moved to their place (record_scan.h). */
void perf_ring__expect(struct perf_ring *ring, uint64_t sample_type);
void perf_ring__free(struct perf_ring *ring);

/*
 * Passes on the records that the kernel has written so far: one span, or up to three if the content
 * wraps (a record that lies over the end is copied to one piece). Does not wait. Returns 0, what
 * @fn returned, or -EBADMSG if the content of the ring is not a sequence of records (never seen;
 * the ring is emptied then).
 */
int perf_ring__read(struct perf_ring *ring, perf_ring_read_fn *fn, void *ctx, struct error *err);

/*
 * Does the same up to the first record that @fit rejects. @fit is called with whole records of
 * @size bytes, and returns how many bytes of whole records to read. The rest is kept for the next
 * reading.
 */
typedef size_t perf_ring_fit_fn(void *ctx, const void *records, size_t size);
int perf_ring__read_some(struct perf_ring *ring, perf_ring_fit_fn *fit, perf_ring_read_fn *fn,
	void *ctx, struct error *err);

/*
 * From now on, @fn first gets a copy of all whole records, and may change it, but not their
 * sizes. It may get records again that were not read. Returns 0 or -ENOMEM.
 */
typedef void perf_ring_prepare_fn(void *ctx, void *records, size_t size);
int perf_ring__prepare(struct perf_ring *ring, perf_ring_prepare_fn *fn, void *ctx);

/* Bytes that are written and not yet read. */
size_t perf_ring__used(const struct perf_ring *ring);
size_t perf_ring__size(const struct perf_ring *ring); /* bytes */
/* For poll, with EPOLLET, since a target that has exited leaves EPOLLHUP behind. */
int perf_ring__fd(const struct perf_ring *ring);
int perf_ring__cpu(const struct perf_ring *ring);

#endif
