/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sampled builds and their paths in all files, with the number of extracted and of all samples,
 * and their times. Pure.
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
	const char *path; /* points into .key */
	uint8_t id[PERFSTAMP_BUILD_ID_MAX];
	uint8_t id_size; /* 0: no build-id */
	bool wanted;
	bool kernel;
	uint64_t samples;
	/* Time of its last sample in ns since the epoch; 0: not known. */
	uint64_t last_ns;
	UT_hash_handle hh;
};

struct builds {
	struct build *all;
	const struct build **wanted; /* set by builds__finish() */
	size_t n_wanted;
	/* The same builds sorted by name, and by build-id with the most samples first. */
	const struct build **by_name, **by_id;
};

void builds__free(struct builds *builds);
/* Adds @samples of @sighting. Returns 0 or -ENOMEM. */
int builds__add(struct builds *builds, const struct sighting *sighting, bool wanted,
	uint64_t samples, uint64_t last_ns);
/* Sorts the builds after all samples were added. Returns 0 or -ENOMEM. */
int builds__finish(struct builds *builds);
/* Returns the file name by which other tools know a file: the text behind the last slash. */
const char *builds__base_name(const char *path);
/* Whether the path of a wanted build has this file name. */
bool builds__has_name(const struct builds *builds, const char *path);
/* Whether a wanted build is the kernel or a module. */
bool builds__has_kernel(const struct builds *builds);
/* Returns the path of this wanted build with the most samples; NULL if the build is not wanted. */
const char *builds__main_path(const struct builds *builds, const uint8_t *id, uint8_t size);
/*
 * Checks that exactly one build-id begins with the @size bytes at @id. Returns 0; or with text
 * -EINVAL if there are several, and -ENOENT if there is none.
 */
int builds__check_prefix(
	const struct builds *builds, const uint8_t *id, uint8_t size, struct error *err);
/* Returns 0, or -EINVAL with text if two wanted builds have one name. */
int builds__check_names(const struct builds *builds, struct error *err);

#endif
