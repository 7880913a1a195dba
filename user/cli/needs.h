/* SPDX-License-Identifier: GPL-2.0-only */
/* The contents that a recording's samples are in, whose files are needed for symbols. */
#ifndef PERFSTAMP_CLI_NEEDS_H
#define PERFSTAMP_CLI_NEEDS_H

#include <stdbool.h>
#include <stddef.h>

#include "user/cli/input.h"

struct need {
	const char *path; /* the input's */
	struct perfstamp_identity identity;
	uint32_t n_contents; /* above 1: this build-id stands for several */
	bool kernel;
	uint64_t samples; /* and entries of call chains */
};

struct needs {
	struct need *v; /* each identity once, those with most samples first */
	size_t n;
	size_t unidentified; /* that have samples, and no identity to ask for */
};

/*
 * Lists what is needed; with @all also what is in the recording without samples. If a mapping has
 * no build-id, the one that perf read at the end of its own recording counts. If one identity has
 * several paths, .path is one for which @prefers is true, if there is one. @prefers may be NULL.
 * Returns 0 or -ENOMEM.
 */
typedef bool needs_prefers_fn(const void *ctx, const char *path);
int needs__collect(struct needs *ret, struct input *input, bool all, needs_prefers_fn *prefers,
	const void *ctx);
void needs__free(struct needs *needs);

#endif
