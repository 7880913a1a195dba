// SPDX-License-Identifier: GPL-2.0-only
/* See builds.h. */
#include "user/cli/extract/builds.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"

void builds__free(struct builds *builds)
{
	struct build *build, *next;

	HASH_ITER (hh, builds->all, build, next) {
		HASH_DEL(builds->all, build);
		free(build->key);
		free(build);
	}
	free(builds->wanted);
	free(builds->by_name);
	free(builds->by_id);
}

/* Content without a build-id is distinguished by its cookie. */
static int make(const struct sighting *sighting, struct build **ret)
{
	const struct perfstamp_identity *identity = &sighting->identity;
	struct build *build = calloc(1, sizeof(*build));
	char id[2 * PERFSTAMP_BUILD_ID_MAX + 1], cookie[2 * PERFSTAMP_COOKIE_MAX + 1];

	if (!build)
		return -ENOMEM;
	text__hex(id, sizeof(id), identity->build_id, identity->build_id_size);
	text__hex(cookie, sizeof(cookie), identity->cookie,
		identity->build_id_size ? 0 : identity->cookie_size);
	if (asprintf(&build->key, "%s%s/%s", id, cookie, sighting->path) < 0) {
		free(build);
		return -ENOMEM;
	}
	build->path = build->key + strlen(id) + strlen(cookie) + 1;
	build->id_size = identity->build_id_size;
	memcpy(build->id, identity->build_id, sizeof(build->id));
	build->kernel = sighting->kernel;
	*ret = build;
	return 0;
}

int builds__add(struct builds *builds, const struct sighting *sighting, bool wanted,
	uint64_t samples, uint64_t last_ns)
{
	struct build *build, *known;

	if (make(sighting, &build))
		return -ENOMEM;
	HASH_FIND_STR(builds->all, build->key, known);
	if (known) {
		free(build->key);
		free(build);
		build = known;
	} else {
		HASH_ADD_KEYPTR(hh, builds->all, build->key, strlen(build->key), build);
		if (!hash__added(build)) {
			free(build->key);
			free(build);
			return -ENOMEM;
		}
	}
	build->wanted |= wanted;
	build->samples += samples;
	if (last_ns > build->last_ns)
		build->last_ns = last_ns;
	return 0;
}

const char *builds__base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int compare_names(const void *a, const void *b)
{
	const struct build *const *one = a, *const *other = b;

	return strcmp(builds__base_name((*one)->path), builds__base_name((*other)->path));
}

static int compare_name(const void *name, const void *b)
{
	const struct build *const *build = b;

	return strcmp(name, builds__base_name((*build)->path));
}

static int compare_id(const struct build *build, const uint8_t *id, uint8_t size)
{
	return build->id_size != size ? build->id_size - size : memcmp(build->id, id, size);
}

static int compare_ids(const void *a, const void *b)
{
	const struct build *const *one = a, *const *other = b;
	int order = compare_id(*one, (*other)->id, (*other)->id_size);

	return order ? order
		     : ((*one)->samples < (*other)->samples) -
			       ((*one)->samples > (*other)->samples);
}

int builds__finish(struct builds *builds)
{
	size_t n = HASH_COUNT(builds->all) + 1;

	builds->wanted = calloc(n, sizeof(*builds->wanted));
	builds->by_name = calloc(n, sizeof(*builds->by_name));
	builds->by_id = calloc(n, sizeof(*builds->by_id));
	if (!builds->wanted || !builds->by_name || !builds->by_id)
		return -ENOMEM;
	for (const struct build *build = builds->all; build; build = build->hh.next)
		if (build->wanted)
			builds->wanted[builds->n_wanted++] = build;
	memcpy(builds->by_name, builds->wanted, n * sizeof(*builds->by_name));
	memcpy(builds->by_id, builds->wanted, n * sizeof(*builds->by_id));
	qsort(builds->by_name, builds->n_wanted, sizeof(*builds->by_name), compare_names);
	qsort(builds->by_id, builds->n_wanted, sizeof(*builds->by_id), compare_ids);
	return 0;
}

bool builds__has_name(const struct builds *builds, const char *path)
{
	return builds->n_wanted &&
	       bsearch(builds__base_name(path), builds->by_name, builds->n_wanted,
		       sizeof(*builds->by_name), compare_name);
}

bool builds__has_kernel(const struct builds *builds)
{
	for (size_t i = 0; i < builds->n_wanted; i++)
		if (builds->wanted[i]->kernel)
			return true;
	return false;
}

static bool is_id(const struct build *build, const uint8_t *id, uint8_t size)
{
	return build->id_size == size && !memcmp(build->id, id, size);
}

const char *builds__main_path(const struct builds *builds, const uint8_t *id, uint8_t size)
{
	size_t low = 0, high = builds->n_wanted;

	/* Find the first build with this id. */
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (compare_id(builds->by_id[mid], id, size) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low < builds->n_wanted && is_id(builds->by_id[low], id, size)
		       ? builds->by_id[low]->path
		       : NULL;
}

int builds__check_prefix(
	const struct builds *builds, const uint8_t *id, uint8_t size, struct error *err)
{
	const struct build *first = NULL;

	for (const struct build *build = builds->all; build; build = build->hh.next) {
		if (build->id_size < size || memcmp(build->id, id, size) != 0)
			continue;
		if (first && !is_id(first, build->id, build->id_size))
			return error__set(err, -EINVAL,
				"several build-ids begin with these digits: give more (see "
				"perfstamp list)");
		first = build;
	}
	if (!first)
		return error__set(err, -ENOENT, "no mapping has this build-id");
	return 0;
}

int builds__check_names(const struct builds *builds, struct error *err)
{
	for (size_t i = 1; i < builds->n_wanted; i++) {
		const struct build *one = builds->by_name[i - 1], *other = builds->by_name[i];

		if (!compare_names(&one, &other) && !is_id(one, other->id, other->id_size))
			return error__set(err, -EINVAL,
				"%s is the file name of two of these builds, which other tools "
				"would mix: extract them into separate files",
				builds__base_name(one->path));
	}
	return 0;
}
