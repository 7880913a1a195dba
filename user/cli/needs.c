// SPDX-License-Identifier: GPL-2.0-only
/* See needs.h. */
#include "user/cli/needs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/event/identity.h"

static int by_identity(const void *a, const void *b)
{
	const struct need *x = a, *y = b;
	int order = x->identity.build_id_size - y->identity.build_id_size;

	if (!order)
		order = memcmp(
			x->identity.build_id, y->identity.build_id, sizeof(x->identity.build_id));
	if (!order)
		order = x->identity.cookie_size - y->identity.cookie_size;
	if (!order)
		order = memcmp(x->identity.cookie, y->identity.cookie, sizeof(x->identity.cookie));
	return order ? order : strcmp(x->path, y->path);
}

static int by_samples(const void *a, const void *b)
{
	const struct need *x = a, *y = b;

	if (x->samples != y->samples)
		return x->samples < y->samples ? 1 : -1;
	return by_identity(a, b);
}

static bool is_same(const struct need *a, const struct need *b)
{
	return identity__same_build_id(&a->identity, &b->identity) &&
	       identity__same_cookie(&a->identity, &b->identity);
}

/* Sorts by identity, and merges entries with the same identity. */
static void merge(struct needs *needs, needs_prefers_fn *prefers, const void *ctx)
{
	bool preferred = true;
	size_t n = 0;

	for (size_t i = 0; i < needs->n; i++) {
		if (!n || !is_same(&needs->v[n - 1], &needs->v[i])) {
			needs->v[n++] = needs->v[i];
			preferred = !prefers || prefers(ctx, needs->v[n - 1].path);
			continue;
		}
		needs->v[n - 1].samples += needs->v[i].samples;
		if (!preferred && prefers(ctx, needs->v[i].path)) {
			needs->v[n - 1].path = needs->v[i].path;
			preferred = true;
		}
	}
	needs->n = n;
}

static void take(struct needs *needs, struct input *input, size_t i, bool all)
{
	const struct sighting *sighting = model__sighting(input->model, i);
	struct need *need = &needs->v[needs->n];
	const struct header_id *id;

	*need = (struct need){.path = sighting->path,
		.identity = sighting->identity,
		.n_contents = sighting->n_contents,
		.kernel = sighting->kernel,
		.samples = sighting->samples + sighting->frames};
	if (!all && !need->samples)
		return;
	id = header_ids__find(&input->header_ids, sighting->path);
	if (!need->identity.build_id_size && !need->identity.cookie_size && id) {
		memcpy(need->identity.build_id, id->build_id, id->build_id_size);
		need->identity.build_id_size = id->build_id_size;
	}
	if (need->identity.build_id_size || need->identity.cookie_size)
		needs->n++;
	else if (need->identity.reason != PERFSTAMP_REASON_ANONYMOUS)
		needs->unidentified++;
}

int needs__collect(struct needs *ret, struct input *input, bool all, needs_prefers_fn *prefers,
	const void *ctx)
{
	size_t n = model__n_sightings(input->model), n_ids = all ? input->header_ids.n : 0;

	memset(ret, 0, sizeof(*ret));
	ret->v = calloc(n + n_ids + 1, sizeof(*ret->v));
	if (!ret->v)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		take(ret, input, i, all);
	for (size_t i = 0; i < n_ids; i++) {
		const struct header_id *id = &input->header_ids.v[i];
		struct need *need = &ret->v[ret->n++];

		*need = (struct need){.path = id->path, .kernel = id->kernel};
		memcpy(need->identity.build_id, id->build_id, id->build_id_size);
		need->identity.build_id_size = id->build_id_size;
	}
	qsort(ret->v, ret->n, sizeof(*ret->v), by_identity);
	merge(ret, prefers, ctx);
	qsort(ret->v, ret->n, sizeof(*ret->v), by_samples);
	return 0;
}

void needs__free(struct needs *needs)
{
	free(needs->v);
}
