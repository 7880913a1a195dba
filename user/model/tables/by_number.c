// SPDX-License-Identifier: GPL-2.0-only
/* See by_number.h. */
#include "user/model/tables/by_number.h"

#include <stdlib.h>

void *by_number__find(struct by_number *table, uint32_t number)
{
	struct by_number *entry;

	HASH_FIND(hh, table, &number, sizeof(number), entry);
	return entry;
}

void *by_number__add(struct by_number **table, uint32_t number, size_t size)
{
	struct by_number *entry = calloc(1, size);

	if (!entry)
		return NULL;
	entry->number = number;
	HASH_ADD(hh, *table, number, sizeof(number), entry);
	if (hash__added(entry))
		return entry;
	free(entry);
	return NULL;
}

void *by_number__get(struct by_number **table, uint32_t number, size_t size)
{
	void *entry = by_number__find(*table, number);

	return entry ? entry : by_number__add(table, number, size);
}

void by_number__free(struct by_number **table)
{
	hash__free(*table);
}
