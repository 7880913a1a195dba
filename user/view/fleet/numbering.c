// SPDX-License-Identifier: GPL-2.0-only
/* See numbering.h. */
#include "user/view/fleet/numbering.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/hash.h"

struct numbered {
	uint32_t number;
	UT_hash_handle hh;
	char key[];
};

struct numbering {
	struct numbered *by_key;
	uint32_t n;
};

int numbering__new(struct numbering **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? 0 : -ENOMEM;
}

void numbering__free(struct numbering *numbering)
{
	if (!numbering)
		return;
	hash__free(numbering->by_key);
	free(numbering);
}

int numbering__find(
	struct numbering *numbering, const void *key, size_t size, uint32_t *ret, bool *ret_new)
{
	struct numbered *one;

	HASH_FIND(hh, numbering->by_key, key, size, one);
	*ret_new = !one;
	if (!one) {
		one = calloc(1, sizeof(*one) + size);
		if (!one)
			return -ENOMEM;
		memcpy(one->key, key, size);
		one->number = ++numbering->n;
		HASH_ADD_KEYPTR(hh, numbering->by_key, one->key, size, one);
		if (!hash__added(one)) {
			free(one);
			return -ENOMEM;
		}
	}
	*ret = one->number;
	return 0;
}
