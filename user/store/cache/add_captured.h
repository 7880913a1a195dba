/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Adds a copy of a mapped file to the store, if the copy has the recorded identity. Parses
 * untrusted ELF: for confined processes only.
 */
#ifndef PERFSTAMP_STORE_ADD_CAPTURED_H
#define PERFSTAMP_STORE_ADD_CAPTURED_H

#include "user/store/cache/cache.h"

struct captured {
	const struct perfstamp_identity *wanted; /* as it was recorded */
	const char *name;                        /* its name in the store: a path */
	int64_t mapped_ns; /* CLOCK_REALTIME; event/witness.h: a later write is refused */
	uint64_t owner;    /* cache.h; an entry of another owner becomes shared */
	bool symbols;      /* a skeleton of it is enough */
	uint64_t room;     /* limit of all captured files in bytes, divided by owner; 0: none */
	int64_t oldest_s;  /* CLOCK_REALTIME: captured files last seen before this are removed */
	/*
	 * In: the bytes of all captured files; UINT64_MAX: not known, count them and remove old
	 * files. Out: the same after this call.
	 */
	uint64_t taken;
	uint64_t bytes;  /* out: of this one */
	bool had;        /* out: it was there */
	uint32_t n_gone; /* out: entries that were removed, for space or by age */
};

/*
 * Copies @fd. Returns 0; -ESTALE if the content is not the recorded one, or changed
 * meanwhile; -EFBIG if it alone exceeds the limit; or -errno, with text.
 */
int add__captured(struct cache *cache, int fd, struct captured *captured, struct error *err);

#endif
