/* SPDX-License-Identifier: GPL-2.0-only */
/* The contents that the samples of a recording refer to. Their files are needed for symbols. */
#ifndef PERFSTAMP_CLI_NEEDS_H
#define PERFSTAMP_CLI_NEEDS_H

#include <stdbool.h>
#include <stddef.h>

#include "user/cli/input.h"

struct need {
	const char *path; /* owned by the input */
	struct perfstamp_identity identity;
	uint32_t n_contents; /* above 1: several contents have this build-id */
	bool kernel;
	uint64_t samples; /* samples and entries of call chains */
};

struct needs {
	struct need *v; /* one entry for each identity, the most samples first */
	size_t n;
	size_t unidentified; /* sightings with samples, but without an identity */
};

/*
 * Lists what is needed; with @all, also contents without samples. For a mapping without a build-id,
 * uses the build-id that perf read at the end of recording. If an identity has several paths, .path
 * is one for which @prefers is true, if there is one. @prefers may be NULL. Returns 0 or -ENOMEM.
 */
typedef bool needs_prefers_fn(const void *ctx, const char *path);
int needs__collect(struct needs *ret, struct input *input, bool all, needs_prefers_fn *prefers,
	const void *ctx);
void needs__free(struct needs *needs);

#endif
