// SPDX-License-Identifier: GPL-2.0-only
/* See trim.h. */
#include "user/store/cache/trim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"

/* Of an entry, which is large; there may be many. */
struct candidate {
	char hex[STORE_HEX_MAX];
	bool cookie;
	char *dir;
	uint64_t bytes;
	int64_t used_s;
};

struct candidates {
	const struct trim_options *options;
	struct candidate *v;
	size_t n, room;
	uint64_t bytes;
};

static int add(void *ctx, const struct cache_entry *entry)
{
	struct candidates *candidates = ctx;
	struct candidate *candidate;

	if (candidates->options->captured && !entry->captured)
		return 0;
	if (array__reserve(
		    &candidates->v, &candidates->room, candidates->n + 1, sizeof(*candidates->v)))
		return -ENOMEM;
	candidate = &candidates->v[candidates->n];
	*candidate = (struct candidate){.cookie = entry->cookie,
		.dir = strdup(entry->dir),
		.bytes = entry->bytes,
		.used_s = entry->used_s};
	if (!candidate->dir)
		return -ENOMEM;
	memcpy(candidate->hex, entry->hex, sizeof(entry->hex));
	candidates->bytes += entry->bytes;
	candidates->n++;
	return 0;
}

static int by_use(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->used_s != y->used_s)
		return x->used_s < y->used_s ? -1 : 1;
	return strcmp(x->hex, y->hex);
}

static int remove_one(struct cache *cache, const struct trim_options *options,
	const struct candidate *candidate, struct error *err)
{
	struct cache_entry *entry = calloc(1, sizeof(*entry));
	int code;

	if (!entry)
		return error__set(err, -ENOMEM, "out of memory");
	memcpy(entry->hex, candidate->hex, sizeof(entry->hex));
	entry->cookie = candidate->cookie;
	entry->bytes = candidate->bytes;
	snprintf(entry->dir, sizeof(entry->dir), "%s", candidate->dir);
	code = cache__remove(cache, entry, err);
	if (!code && options->removed)
		options->removed(options->ctx, entry);
	free(entry);
	return code;
}

int cache__trim(struct cache *cache, const struct trim_options *options, struct trim_result *ret,
	struct error *err)
{
	struct candidates candidates = {.options = options};
	int code = cache__for_each(cache, add, &candidates, NULL);

	memset(ret, 0, sizeof(*ret));
	if (code)
		error__errno(err, code, "%s", cache__dir(cache));
	if (candidates.n)
		qsort(candidates.v, candidates.n, sizeof(*candidates.v), by_use);
	ret->left = candidates.n;
	ret->bytes_left = candidates.bytes;
	for (size_t i = 0; !code && i < candidates.n; i++) {
		const struct candidate *candidate = &candidates.v[i];

		if (candidate->used_s >= options->oldest_s &&
			(!options->bounded || ret->bytes_left <= options->size))
			break;
		code = remove_one(cache, options, candidate, err);
		if (code)
			break;
		ret->removed++;
		ret->left--;
		ret->bytes_removed += candidate->bytes;
		ret->bytes_left -= candidate->bytes;
	}
	for (size_t i = 0; i < candidates.n; i++)
		free(candidates.v[i].dir);
	free(candidates.v);
	return code;
}
