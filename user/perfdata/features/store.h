/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The header features of an input. Those of a file are read at the first request; those of a pipe
 * are stored here as their records arrive. Memory is bounded.
 */
#ifndef PERFSTAMP_PERFDATA_FEATURE_STORE_H
#define PERFSTAMP_PERFDATA_FEATURE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/perfdata/file_header.h"
#include "user/perfdata/input.h"

/* Limit for all features together; features beyond it are ignored. */
#define FEATURE_STORE_MAX (64u << 20)

struct feature_store {
	struct {
		void *bytes;
		size_t size;
		size_t room; /* room in .bytes, if more is appended */
		uint32_t n;  /* number of entries, if more are appended */
		bool tried;
	} features[PERFDATA_FEATURE_BITS];
	size_t memory;
};

void feature_store__free(struct feature_store *store);
/* Finds the section according to the file. Returns false if there is none. */
bool feature_store__section(struct input *in, const struct file_header *header, unsigned int id,
	struct perfdata_section *ret);
/* Returns NULL if there is no such feature, or if it is beyond the end of the file. */
const void *feature_store__get(struct feature_store *store, struct input *in,
	const struct file_header *header, unsigned int id, size_t *ret_size);
/*
 * Stores a copy of a feature from a pipe. A later one replaces it, except that BPF programs and
 * types, which arrive one at a time, are added. @swap: the bytes are in the other byte order.
 * Returns 0 or -ENOMEM.
 */
int feature_store__put(
	struct feature_store *store, unsigned int id, const void *bytes, size_t size, bool swap);

#endif
