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
}

/* Content without a build-id is told apart by its cookie. */
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

int builds__finish(struct builds *builds)
{
	size_t n = HASH_COUNT(builds->all);

	builds->wanted = calloc(n ? n : 1, sizeof(*builds->wanted));
	if (!builds->wanted)
		return -ENOMEM;
	for (const struct build *build = builds->all; build; build = build->hh.next)
		if (build->wanted)
			builds->wanted[builds->n_wanted++] = build;
	return 0;
}

const char *builds__base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool builds__has_name(const struct builds *builds, const char *path)
{
	const char *name = builds__base_name(path);

	for (size_t i = 0; i < builds->n_wanted; i++)
		if (!strcmp(builds__base_name(builds->wanted[i]->path), name))
			return true;
	return false;
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
	const struct build *main = NULL;

	for (size_t i = 0; i < builds->n_wanted; i++)
		if (is_id(builds->wanted[i], id, size) &&
			(!main || builds->wanted[i]->samples > main->samples))
			main = builds->wanted[i];
	return main ? main->path : NULL;
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
	for (size_t i = 0; i < builds->n_wanted; i++)
		for (size_t k = i + 1; k < builds->n_wanted; k++) {
			const struct build *one = builds->wanted[i], *other = builds->wanted[k];
			const char *name = builds__base_name(one->path);

			if (!is_id(one, other->id, other->id_size) &&
				!strcmp(name, builds__base_name(other->path)))
				return error__set(err, -EINVAL,
					"%s is the file name of two of these builds, which other "
					"tools would mix: extract them into separate files",
					name);
		}
	return 0;
}
