// SPDX-License-Identifier: GPL-2.0-only
/* idset: see idset.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/model/tables/idset.h"

int idset__add(struct idset *set, size_t index, uint64_t id)
{
	size_t n = set->n;

	if (array__reach(&set->bits, &set->n_bytes, index / 8, 1))
		return -ENOMEM;
	if (set->bits[index / 8] & (1u << (index % 8)))
		return 0;
	if (array__extend(&set->ids, n, sizeof(*set->ids)))
		return -ENOMEM;
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
