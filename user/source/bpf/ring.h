/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The reader of a BPF ring buffer (BPF_MAP_TYPE_RINGBUF, Documentation/bpf/ringbuf.rst of Linux).
 * libbpf's reader maps the data twice, so that no record lies over the end, and both mappings count
 * as resident memory. This one maps the data once, and copies a record that lies over the end. Does
 * not know what the records mean.
 */
#ifndef PERFSTAMP_SOURCE_BPF_RING_H
#define PERFSTAMP_SOURCE_BPF_RING_H

#include <stddef.h>

struct bpf_ring;

/*
 * Called with a record that is valid during the call and 8-byte aligned. A negative result ends the
 * reading, which returns it.
 */
typedef int bpf_ring_fn(void *ctx, void *record, size_t size);

/* Maps the ring of map @fd; the caller keeps @fd. Returns 0 or -errno. */
int bpf_ring__new(struct bpf_ring **ret, int fd);
void bpf_ring__free(struct bpf_ring *ring);
/* Calls @fn for each complete record. Returns 0, what @fn returned, or -ENOMEM. */
int bpf_ring__read(struct bpf_ring *ring, bpf_ring_fn *fn, void *ctx);

#endif
