/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Adds a copy of a mapped file to the store, if the copy has the recorded identity. Parses
 * untrusted ELF: for confined processes only.
 */
#ifndef PERFSTAMP_STORE_ADD_CAPTURED_H
#define PERFSTAMP_STORE_ADD_CAPTURED_H

#include "user/store/cache/cache.h"

struct captured {
	const struct perfstamp_identity *wanted; /* the recorded identity */
	const char *name;                        /* name in the store: a path */
	int64_t mapped_ns; /* CLOCK_REALTIME; the file is refused if it was written to after this */
	uint64_t owner;    /* cache.h; an entry of another owner becomes shared */
	bool symbols;      /* a skeleton is sufficient */
	uint64_t room;     /* limit in bytes for all captured files, divided by owner; 0: none */
	/* CLOCK_REALTIME: captured files that were last seen before this are removed */
	int64_t oldest_s;
	/*
	 * In: bytes of all captured files; UINT64_MAX: not known, so the files are counted, and old
	 * ones are removed. Out: the same after this call.
	 */
	uint64_t taken;
	uint64_t bytes;  /* out: bytes of this file */
	bool had;        /* out: the store already had this file */
	uint32_t n_gone; /* out: number of entries removed for space or by age */
};

/*
 * Copies @fd. Returns 0; -ESTALE if the content is not the recorded one, or changed
 * meanwhile; -EFBIG if it alone exceeds the limit; or -errno, with text.
 */
int add__captured(struct cache *cache, int fd, struct captured *captured, struct error *err);

#endif
