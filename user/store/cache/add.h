/* SPDX-License-Identifier: GPL-2.0-only */
/* Adds a copy of a file to the store, by the identity of the copy, which is read after copying. */
#ifndef PERFSTAMP_STORE_ADD_H
#define PERFSTAMP_STORE_ADD_H

#include "user/store/cache/cache.h"

struct add_result {
	struct perfstamp_identity identity;
	enum cache_kind kind;
	bool cookie;    /* stored by its cookie, because it has no build-id or shares one */
	bool had;       /* the store already had this content */
	bool collision; /* the store already had other content with this build-id */
};

/*
 * Adds the regular file @fd, which is known as @name. An ELF file that has debug information and no
 * code is stored as "debug". Returns 0; -ESTALE if the file changed while it was copied; or -errno.
 */
int add__file(
	struct cache *cache, int fd, const char *name, struct add_result *ret, struct error *err);
/* Adds the vDSO of this process, which is @size bytes at @image. */
int add__vdso(struct cache *cache, const void *image, size_t size, struct add_result *ret,
	struct error *err);

#endif
