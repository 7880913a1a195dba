/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A bundle: entries of the store as a tar archive, compressed with zstd, that unpacks into
 * a store. Its first file lists all others with their SHA-256, to detect damage that does
 * not change an identity. Written and read by libarchive.
 */
#ifndef PERFSTAMP_STORE_BUNDLE_H
#define PERFSTAMP_STORE_BUNDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "user/store/cache/cache.h"
#include "user/store/files/digest.h"

#define BUNDLE_LIST STORE_OWN "/bundle.sum"

struct bundle_plan; /* the files to be written */

int bundle_plan__new(struct bundle_plan **ret); /* Returns 0 or -ENOMEM */
void bundle_plan__free(struct bundle_plan *plan);
/*
 * Verifies the files of @entry and adds them. Damaged files are not added; *@ret_files is the
 * number of added files. @cache is used until the plan is freed. Returns 0 or -ENOMEM.
 */
int bundle_plan__add_entry(struct bundle_plan *plan, struct cache *cache,
	const struct cache_entry *entry, unsigned int *ret_files, struct error *err);
/*
 * Adds the file @fd, which is at @path and has @identity. With @by_cookie the file is added under
 * its cookie, where perf does not look. Returns 0 or -errno.
 */
int bundle_plan__add_file(struct bundle_plan *plan, int fd, const char *path,
	const struct perfstamp_identity *identity, bool by_cookie, struct error *err);
/* Whether a file with this build-id was already added. */
bool bundle_plan__has(const struct bundle_plan *plan, const uint8_t *build_id, size_t size);
/*
 * Writes the bundle to @fd, and calls @progress with the number of bytes written so far and in all.
 * Returns 0; -ESTALE if a file changed since it was added; or -errno.
 */
int bundle_plan__write(struct bundle_plan *plan, int fd,
	void (*progress)(void *ctx, uint64_t done, uint64_t total), void *ctx, struct error *err);

struct bundle_counts {
	uint64_t files;   /* files of the bundle that the store has now */
	uint64_t had;     /* of these, files that the store had before */
	uint64_t refused; /* files and links that were refused */
};

/*
 * Receives a sentence about a file that was refused, or that is stored by its cookie because it
 * shares a build-id.
 */
typedef void bundle_note_fn(void *ctx, const char *text);

/*
 * Adds the files of the bundle, which is @size bytes at @offset of @fd, to @cache. Each file must
 * be in the list, and must have the listed digest and the identity by which it is stored. Only
 * names in the store's layout are accepted, and links are not followed. Returns 0, also if files
 * were refused; -EBADMSG if the bundle is damaged and the rest cannot be read; or -errno.
 */
int bundle__import(struct cache *cache, int fd, uint64_t offset, uint64_t size, const char *name,
	bundle_note_fn *note, void *ctx, struct bundle_counts *ret, struct error *err);

#endif
