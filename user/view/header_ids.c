// SPDX-License-Identifier: GPL-2.0-only
/*
 * See header_ids.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/perfdata/features/build_id_table.h"
#include "user/view/header_ids.h"

static int add_entry(const struct build_id_entry *entry, void *ctx)
{
	struct header_ids *ids = ctx;
	struct header_id *id;

	if (array__reserve(&ids->v, &ids->room, ids->n + 1, sizeof(*ids->v)))
		return -ENOMEM;
	id = &ids->v[ids->n];
	*id = (struct header_id){
		.path = strdup(entry->path), .build_id_size = entry->size, .kernel = entry->kernel};
	if (!id->path)
		return -ENOMEM;
	memcpy(id->build_id, entry->build_id, entry->size);
	ids->n++;
	return 0;
}

int header_ids__add(struct header_ids *ids, const void *bytes, size_t size, bool swap)
{
	return build_id_table__parse(bytes, size, swap, add_entry, ids);
}

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct header_id *)a)->path, ((const struct header_id *)b)->path);
}

static bool same_id(const struct header_id *a, const struct header_id *b)
{
	return a->build_id_size == b->build_id_size &&
	       !memcmp(a->build_id, b->build_id, a->build_id_size);
}

static int compare_whole(const void *a, const void *b)
{
	const struct header_id *x = a, *y = b;
	int order = compare(a, b);

	return order ? order : memcmp(x->build_id, y->build_id, sizeof(x->build_id));
}

void header_ids__sort(struct header_ids *ids)
{
	size_t n = 0;

	if (ids->n)
		qsort(ids->v, ids->n, sizeof(*ids->v), compare_whole);
	for (size_t i = 0; i < ids->n; i++) {
		if (n && !compare(&ids->v[n - 1], &ids->v[i]) &&
			same_id(&ids->v[n - 1], &ids->v[i]))
			free(ids->v[i].path);
		else
			ids->v[n++] = ids->v[i];
	}
	ids->n = n;
}

const struct header_id *header_ids__find(const struct header_ids *ids, const char *path)
{
	struct header_id key = {.path = (char *)path};
	const struct header_id *found, *end = ids->v + ids->n, *at;

	found = ids->n ? bsearch(&key, ids->v, ids->n, sizeof(*ids->v), compare) : NULL;
	for (at = found; at && at < end && !strcmp(at->path, key.path); at++)
		if (!same_id(at, found))
			return NULL;
	for (at = found; at && at >= ids->v && !strcmp(at->path, key.path); at--)
		if (!same_id(at, found))
			return NULL;
	return found;
}

void header_ids__free(struct header_ids *ids)
{
	for (size_t i = 0; i < ids->n; i++)
		free(ids->v[i].path);
	free(ids->v);
	memset(ids, 0, sizeof(*ids));
}
