/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The reader of a BPF ring buffer (BPF_MAP_TYPE_RINGBUF, Documentation/bpf/ringbuf.rst of Linux).
 * libbpf's maps the data twice, so that no record lies over the end, and all of both counts as
 * resident memory. Here it is mapped once, and the record that lies over the end is copied. Knows
 * nothing of what records are.
 */
#ifndef PERFSTAMP_SOURCE_BPF_RING_H
#define PERFSTAMP_SOURCE_BPF_RING_H

#include <stddef.h>

struct bpf_ring;

/*
 * The record is valid during the call, and 8-byte aligned. A negative result ends the reading,
 * which returns it.
 */
typedef int bpf_ring_fn(void *ctx, void *record, size_t size);

/* Of the map @fd, which stays the caller's. 0 or -errno. */
int bpf_ring__new(struct bpf_ring **ret, int fd);
void bpf_ring__free(struct bpf_ring *ring);
/* Calls @fn for each record that is complete. Returns 0, what @fn did, or -ENOMEM. */
int bpf_ring__read(struct bpf_ring *ring, bpf_ring_fn *fn, void *ctx);

#endif
