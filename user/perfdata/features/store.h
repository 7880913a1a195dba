/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The header features of an input: those of a file are read when first asked
 * for, those of a pipe are put here as they come. Bounded in memory.
 */
#ifndef PERFSTAMP_PERFDATA_FEATURE_STORE_H
#define PERFSTAMP_PERFDATA_FEATURE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/perfdata/file_header.h"
#include "user/perfdata/input.h"

/* The limit for all together; features beyond it are ignored. */
#define FEATURE_STORE_MAX (64u << 20)

struct feature_store {
	struct {
		void *bytes;
		size_t size;
		size_t room; /* of .bytes, where more is appended */
		uint32_t n;  /* entries, where more are appended */
		bool tried;
	} features[PERFDATA_FEATURE_BITS];
	size_t memory;
};

void feature_store__free(struct feature_store *store);
/* Where the file says that the section is; false if there is none. */
bool feature_store__section(struct input *in, const struct file_header *header, unsigned int id,
	struct perfdata_section *ret);
/* NULL if there is none, or it lies beyond the file's end. */
const void *feature_store__get(struct feature_store *store, struct input *in,
	const struct file_header *header, unsigned int id, size_t *ret_size);
/*
 * Of a pipe: copies it. The last one counts, except BPF programs and types, which come one
 * by one. @swap: it is of the other byte order. Returns 0 or -ENOMEM.
 */
int feature_store__put(
	struct feature_store *store, unsigned int id, const void *bytes, size_t size, bool swap);

#endif
