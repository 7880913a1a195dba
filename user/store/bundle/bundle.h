/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A bundle: entries of the store as a tar archive, compressed with zstd, that unpacks
 * into a store. Its first file is the list of all others with their SHA-256, so that
 * damage is noticed that an identity does not show. Written and read by libarchive.
 */
#ifndef PERFSTAMP_STORE_BUNDLE_H
#define PERFSTAMP_STORE_BUNDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "user/store/cache/cache.h"
#include "user/store/files/digest.h"

#define BUNDLE_LIST STORE_OWN "/bundle.sum"

struct bundle_plan; /* what is to be written */

int bundle_plan__new(struct bundle_plan **ret); /* Returns 0 or -ENOMEM */
void bundle_plan__free(struct bundle_plan *plan);
/*
 * Takes the files of @entry, which are verified; @cache stays in use until the plan is
 * freed. What is damaged is not taken: *@ret_files is how many were. Returns 0 or -ENOMEM.
 */
int bundle_plan__add_entry(struct bundle_plan *plan, struct cache *cache,
	const struct cache_entry *entry, unsigned int *ret_files, struct error *err);
/*
 * Takes the file @fd, which is at @path and has @identity; with @by_cookie to where perf
 * does not look. Returns 0 or -errno.
 */
int bundle_plan__add_file(struct bundle_plan *plan, int fd, const char *path,
	const struct perfstamp_identity *identity, bool by_cookie, struct error *err);
/* Whether a file is taken for this build-id already. */
bool bundle_plan__has(const struct bundle_plan *plan, const uint8_t *build_id, size_t size);
/*
 * Writes it all to @fd, and calls @progress with how many of all bytes were written.
 * Returns 0; -ESTALE if a file changed since it was taken; or -errno.
 */
int bundle_plan__write(struct bundle_plan *plan, int fd,
	void (*progress)(void *ctx, uint64_t done, uint64_t total), void *ctx, struct error *err);

struct bundle_counts {
	uint64_t files;   /* that the store has now */
	uint64_t had;     /* of these, that it had before */
	uint64_t refused; /* files and links */
};

/* What was refused, in a sentence, or put aside since it shares a build-id. */
typedef void bundle_note_fn(void *ctx, const char *text);

/*
 * Puts what is in the bundle, @size bytes at @offset of @fd, into @cache, each file only if
 * it is in the list, has its digest, and has the identity that it is kept by. Names and
 * links lead nowhere: only the store's own layout is understood. Returns 0, also where
 * something was refused; -EBADMSG if the rest cannot be read; or -errno.
 */
int bundle__import(struct cache *cache, int fd, uint64_t offset, uint64_t size, const char *name,
	bundle_note_fn *note, void *ctx, struct bundle_counts *ret, struct error *err);

#endif
