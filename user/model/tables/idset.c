// SPDX-License-Identifier: GPL-2.0-only
/* idset: see idset.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/model/tables/idset.h"

static int grow_bits(struct idset *set, size_t index)
{
	size_t size = index / 8 + 1;
	uint8_t *bits;

	if (size <= set->n_bytes)
		return 0;
	size = size < 8 ? 8 : size + size / 2;
	bits = realloc(set->bits, size);
	if (!bits)
		return -ENOMEM;
	memset(bits + set->n_bytes, 0, size - set->n_bytes);
	set->bits = bits;
	set->n_bytes = size;
	return 0;
}

int idset__add(struct idset *set, size_t index, uint64_t id)
{
	size_t n = set->n;

	if (grow_bits(set, index))
		return -ENOMEM;
	if (set->bits[index / 8] & (1u << (index % 8)))
		return 0;
	if (!(n & (n - 1))) { /* the room is the next power of two */
		uint64_t *ids = realloc(set->ids, (n ? n * 2 : 1) * sizeof(*ids));

		if (!ids)
			return -ENOMEM;
		set->ids = ids;
	}
	set->ids[n] = id;
	set->bits[index / 8] |= 1u << (index % 8);
	set->n++;
	return 0;
}

void idset__free(struct idset *set)
{
	free(set->ids);
	free(set->bits);
}
