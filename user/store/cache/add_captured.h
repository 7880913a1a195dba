/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Puts into the store what a process has mapped: a copy whose identity is the one that
 * was recorded, or nothing. Parses ELF of any content: for bounded processes only.
 */
#ifndef PERFSTAMP_STORE_ADD_CAPTURED_H
#define PERFSTAMP_STORE_ADD_CAPTURED_H

#include "user/store/cache/cache.h"

struct captured {
	const struct perfstamp_identity *wanted; /* as it was recorded */
	const char *name;                        /* as which it is known: a path */
	int64_t mapped_ns; /* CLOCK_REALTIME: what may have been written to since, by
			    * event/witness.h, is refused */
	bool symbols;      /* a skeleton of it is enough */
	uint64_t room;     /* bytes that all that was captured may take; 0: any */
	int64_t oldest_s;  /* CLOCK_REALTIME: of that, what was seen last before it goes */
	/*
	 * In: the bytes that it takes, UINT64_MAX where that is not known, and what is too
	 * old is to go. Out: with this one, and without what went.
	 */
	uint64_t taken;
	uint64_t bytes;  /* out: of this one */
	bool had;        /* out: it was there */
	uint32_t n_gone; /* out: entries that were removed, for space or by age */
};

/*
 * Copies @fd. Returns 0; -ESTALE if it is other content than was recorded, or changed
 * meanwhile; -EFBIG if it alone is more than there may be; or -errno, with text.
 */
int add__captured(struct cache *cache, int fd, struct captured *captured, struct error *err);

#endif
