/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sampled builds and their paths, over all files: how many samples were extracted of
 * how many, and how old they are. Pure.
 */
#ifndef PERFSTAMP_CLI_EXTRACT_BUILDS_H
#define PERFSTAMP_CLI_EXTRACT_BUILDS_H

#include <stdbool.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/base/hash.h"
#include "user/model/facts.h"

struct build {
	char *key;        /* path and build-id */
	const char *path; /* in .key */
	uint8_t id[PERFSTAMP_BUILD_ID_MAX];
	uint8_t id_size; /* 0: it has none */
	bool wanted;
	bool kernel;
	uint64_t samples;
	/* Time of its last sample: ns since the epoch; 0: not known. */
	uint64_t last_ns;
	UT_hash_handle hh;
};

struct builds {
	struct build *all;
	const struct build **wanted; /* valid from builds__finish() on */
	size_t n_wanted;
	/* The same builds sorted by name, and by build-id with the most samples first. */
	const struct build **by_name, **by_id;
};

void builds__free(struct builds *builds);
/* Adds @samples of @sighting. Returns 0 or -ENOMEM. */
int builds__add(struct builds *builds, const struct sighting *sighting, bool wanted,
	uint64_t samples, uint64_t last_ns);
/* All were added. Returns 0 or -ENOMEM. */
int builds__finish(struct builds *builds);
/* How other tools know a file: by what follows the last slash. */
const char *builds__base_name(const char *path);
/* Whether a wanted build is at a path with this name. */
bool builds__has_name(const struct builds *builds, const char *path);
/* Whether a wanted build is the kernel or a module. */
bool builds__has_kernel(const struct builds *builds);
/* The path of most samples of this wanted build; NULL if it is not wanted. */
const char *builds__main_path(const struct builds *builds, const uint8_t *id, uint8_t size);
/*
 * Returns 0, or -EINVAL with the text in @err if several builds begin with the @size bytes at @id,
 * or if two wanted builds have one name. For the latter, @size is 0.
 */
int builds__check_prefix(
	const struct builds *builds, const uint8_t *id, uint8_t size, struct error *err);
int builds__check_names(const struct builds *builds, struct error *err);

#endif
