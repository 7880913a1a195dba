// SPDX-License-Identifier: GPL-2.0-only
/*
 * texts: see texts.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/base/hash.h"
#include "user/model/profile/texts.h"

struct text_entry {
	UT_hash_handle hh;
	uint32_t number;
	char text[];
};

int texts__add(struct texts *texts, const char *text, uint32_t *ret)
{
	size_t len = strlen(text);
	struct text_entry *entry;

	HASH_FIND(hh, texts->by_text, text, len, entry);
	if (entry) {
		*ret = entry->number;
		return 0;
	}
	if (array__reserve_numbered(
		    &texts->v, &texts->room, texts->n + 1, sizeof(struct text_entry *)))
		return -ENOMEM;
	entry = calloc(1, sizeof(*entry) + len + 1);
	if (!entry)
		return -ENOMEM;
	memcpy(entry->text, text, len);
	entry->number = texts->n;
	HASH_ADD_KEYPTR(hh, texts->by_text, entry->text, len, entry);
	if (!hash__added(entry)) {
		free(entry);
		return -ENOMEM;
	}
	texts->v[texts->n++] = entry;
	*ret = entry->number;
	return 0;
}

const char *texts__at(const struct texts *texts, uint32_t i)
{
	return texts->v[i]->text;
}

void texts__free(struct texts *texts)
{
	HASH_CLEAR(hh, texts->by_text);
	for (size_t i = 0; i < texts->n; i++)
		free(texts->v[i]);
	free(texts->v);
	*texts = (struct texts){0};
}
