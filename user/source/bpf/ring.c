// SPDX-License-Identifier: GPL-2.0-only
/*
 * See ring.h. The kernel writes at the producer's position, we read up to it and then move the
 * consumer's. Headers and records are multiples of 8 bytes and the data's size is a power of
 * two, so a header never lies over the end.
 */
#include "user/source/bpf/ring.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "user/base/array.h"

struct bpf_ring {
	size_t size; /* bytes of data */
	size_t page;
	unsigned long *consumed;
	const unsigned long *produced; /* and the data from the next page on */
	const unsigned char *data;
	unsigned char *joined; /* NULL, or .room bytes for a record that lies over the end */
	size_t room;
};

int bpf_ring__new(struct bpf_ring **ret, int fd)
{
	struct bpf_map_info info = {0};
	uint32_t size = sizeof(info);
	struct bpf_ring *ring = calloc(1, sizeof(*ring));
	void *consumed, *produced;
	int code;

	if (!ring)
		return -ENOMEM;
	ring->page = sysconf(_SC_PAGESIZE);
	if (bpf_obj_get_info_by_fd(fd, &info, &size)) {
		code = -errno;
		goto failed;
	}
	ring->size = info.max_entries;
	consumed = mmap(NULL, ring->page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (consumed == MAP_FAILED) {
		code = -errno;
		goto failed;
	}
	produced = mmap(
		NULL, ring->page + ring->size, PROT_READ, MAP_SHARED, fd, (off_t)ring->page);
	if (produced == MAP_FAILED) {
		code = -errno;
		munmap(consumed, ring->page);
		goto failed;
	}
	ring->consumed = consumed;
	ring->produced = produced;
	ring->data = (unsigned char *)produced + ring->page;
	*ret = ring;
	return 0;
failed:
	free(ring);
	return code;
}

void bpf_ring__free(struct bpf_ring *ring)
{
	if (!ring)
		return;
	munmap(ring->consumed, ring->page);
	munmap((void *)ring->produced, ring->page + ring->size);
	free(ring->joined);
	free(ring);
}

/* Returns the @size bytes at @at as one piece. */
static const void *piece(struct bpf_ring *ring, size_t at, size_t size)
{
	size_t first = ring->size - at;

	if (size <= first)
		return ring->data + at;
	if (array__reserve(&ring->joined, &ring->room, size, 1))
		return NULL;
	memcpy(ring->joined, ring->data + at, first);
	memcpy(ring->joined + first, ring->data, size - first);
	return ring->joined;
}

/*
 * Returns 1 if a record was read, 0 if it is still being written, else -errno or what @fn returned.
 */
static int read_one(struct bpf_ring *ring, unsigned long *at, bpf_ring_fn *fn, void *ctx)
{
	size_t mask = ring->size - 1;
	/* Pairs with the kernel's release: the record was written before its header. */
	uint32_t header = __atomic_load_n(
		(const uint32_t *)(ring->data + (*at & mask)), __ATOMIC_ACQUIRE);
	uint32_t size = header & ~(BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT);
	const void *record;
	int code = 0;

	if (header & BPF_RINGBUF_BUSY_BIT)
		return 0;
	if (size > ring->size - BPF_RINGBUF_HDR_SZ)
		return -EBADMSG;
	if (!(header & BPF_RINGBUF_DISCARD_BIT)) {
		record = piece(ring, (*at + BPF_RINGBUF_HDR_SZ) & mask, size);
		if (!record)
			return -ENOMEM;
		code = fn(ctx, (void *)record, size);
	}
	*at += (size + BPF_RINGBUF_HDR_SZ + 7) / 8 * 8;
	/* The kernel may overwrite what lies before the consumer's position. */
	__atomic_store_n(ring->consumed, *at, __ATOMIC_RELEASE);
	return code ? code : 1;
}

int bpf_ring__read(struct bpf_ring *ring, bpf_ring_fn *fn, void *ctx)
{
	unsigned long at = *ring->consumed; /* only we write this position */
	unsigned long end = __atomic_load_n(ring->produced, __ATOMIC_ACQUIRE);
	int code = 1;

	while (code > 0 && at < end) {
		code = read_one(ring, &at, fn, ctx);
		/* Also what was put in meanwhile. */
		if (at >= end)
			end = __atomic_load_n(ring->produced, __ATOMIC_ACQUIRE);
	}
	return code < 0 ? code : 0;
}
