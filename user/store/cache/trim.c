// SPDX-License-Identifier: GPL-2.0-only
/* See trim.h. */
#include "user/store/cache/trim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"

/* The needed part of an entry. Entries are large, and there may be many. */
struct candidate {
	char hex[STORE_HEX_MAX];
	bool cookie;
	char *dir;
	uint64_t bytes;
	int64_t used_s;
	uint64_t owner;
	uint64_t part; /* the owner to whose part it counts; 0 if owners are not distinguished */
};

/* The candidates of one owner. */
struct part {
	uint64_t owner;
	uint64_t bytes;     /* including .coming */
	size_t oldest, end; /* indexes; the candidates before .oldest have been removed */
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
		.bytes = entry->bytes +
			 (candidates->options->captured ? cache__overhead(entry->dir) : 0),
		.used_s = entry->used_s,
		.owner = entry->owner,
		.part = candidates->options->by_owner ? entry->owner : 0};
	if (!candidate->dir)
		return -ENOMEM;
	memcpy(candidate->hex, entry->hex, sizeof(entry->hex));
	candidates->bytes += candidate->bytes;
	candidates->n++;
	return 0;
}

static int by_part_and_use(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->part != y->part)
		return x->part < y->part ? -1 : 1;
	if (x->used_s != y->used_s)
		return x->used_s < y->used_s ? -1 : 1;
	return strcmp(x->hex, y->hex);
}

/* Returns 1 if another process has used it meanwhile, and it is left. */
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
	entry->used_s = candidate->used_s;
	entry->owner = candidate->owner;
	snprintf(entry->dir, sizeof(entry->dir), "%s", candidate->dir);
	code = cache__remove_unused(cache, entry, err);
	if (!code && options->removed)
		options->removed(options->ctx, entry);
	free(entry);
	return code;
}

/* Divides the sorted candidates into one part for each owner. */
static int divide(const struct candidates *candidates, struct part **ret, size_t *ret_n)
{
	const struct trim_options *options = candidates->options;
	struct part *parts = calloc(candidates->n + 1, sizeof(*parts)), *part = parts;
	size_t i;

	*ret = parts;
	*ret_n = 0;
	if (!parts)
		return -ENOMEM;
	for (i = 0; i < candidates->n; i++) {
		const struct candidate *candidate = &candidates->v[i];

		if (!i || candidate->part != part->owner) {
			part = &parts[(*ret_n)++];
			*part = (struct part){.owner = candidate->part, .oldest = i};
			if (options->by_owner && part->owner == options->owner)
				part->bytes = options->coming;
		}
		part->bytes += candidate->bytes;
		part->end = i + 1;
	}
	return 0;
}

/* Returns the part that loses its oldest candidate next; NULL if nothing has to be removed. */
static struct part *choose(const struct candidates *candidates, struct part *parts, size_t n,
	const struct trim_result *result)
{
	const struct trim_options *options = candidates->options;
	struct part *most = NULL;

	for (struct part *part = parts; part < parts + n; part++) {
		if (part->oldest == part->end)
			continue;
		if (candidates->v[part->oldest].used_s < options->oldest_s)
			return part;
		if (!most || part->bytes > most->bytes)
			most = part;
	}
	return options->bounded && result->bytes_left > options->size ? most : NULL;
}

static int remove_surplus(struct cache *cache, const struct candidates *candidates,
	struct trim_result *ret, struct error *err)
{
	const struct candidate *candidate;
	struct part *parts, *part;
	size_t n;
	int code = divide(candidates, &parts, &n);

	if (code)
		return error__errno(err, code, "%s", cache__dir(cache));
	while (!code && (part = choose(candidates, parts, n, ret))) {
		candidate = &candidates->v[part->oldest];
		code = remove_one(cache, candidates->options, candidate, err);
		if (code < 0)
			break;
		part->oldest++;
		part->bytes -= candidate->bytes;
		if (code) {
			code = 0;
			continue;
		}
		ret->removed++;
		ret->left--;
		ret->bytes_removed += candidate->bytes;
		ret->bytes_left -= candidate->bytes;
	}
	free(parts);
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
		qsort(candidates.v, candidates.n, sizeof(*candidates.v), by_part_and_use);
	ret->left = candidates.n;
	ret->bytes_left = candidates.bytes;
	if (!code)
		code = remove_surplus(cache, &candidates, ret, err);
	for (size_t i = 0; i < candidates.n; i++)
		free(candidates.v[i].dir);
	free(candidates.v);
	return code;
}
