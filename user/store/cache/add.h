/* SPDX-License-Identifier: GPL-2.0-only */
/* Adds a copy of a file to the store, by the identity of the copy, which is read after copying. */
#ifndef PERFSTAMP_STORE_ADD_H
#define PERFSTAMP_STORE_ADD_H

#include "user/store/cache/cache.h"

struct add_result {
	struct perfstamp_identity identity;
	enum cache_kind kind;
	bool cookie;    /* it is stored by its cookie: it has no build-id, or a shared one */
	bool had;       /* the same was there */
	bool collision; /* other content with this build-id was there */
};

/*
 * Adds the regular file @fd, which is known as @name. ELF that has debug information and no
 * code becomes "debug". Returns 0; -ESTALE if it changed while it was copied; or -errno.
 */
int add__file(
	struct cache *cache, int fd, const char *name, struct add_result *ret, struct error *err);
/* The vDSO at @image of this process, @size bytes. */
int add__vdso(struct cache *cache, const void *image, size_t size, struct add_result *ret,
	struct error *err);

#endif
