/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Comparisons for watch. Some time after a path got another content, runs `perfstamp diff
 * --since-replaced' on a recording, which another recorder writes.
 */
#ifndef PERFSTAMP_CLI_WATCH_COMPARISONS_H
#define PERFSTAMP_CLI_WATCH_COMPARISONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/event/event.h"

struct comparisons;

/*
 * Called when the comparison of @path has ended. @json is its output of @size bytes. If there is
 * none, @error is the reason; its text is untrusted.
 */
typedef void comparisons_fn(
	void *ctx, const char *path, const char *json, size_t size, const char *error);

struct comparisons_options {
	const char *file;        /* the recording */
	const char *buildid_dir; /* directory with symbols; NULL: perf's default */
	uint64_t after_ns;       /* time between a replacement and its comparison */
	comparisons_fn *fn;
	void *ctx;
};

/* Objects that @options points to have to live as long as *@ret. Returns 0 or -ENOMEM. */
int comparisons__new(struct comparisons **ret, const struct comparisons_options *options);
/* Ends a running process. */
void comparisons__free(struct comparisons *comparisons);

/*
 * Reports that @path in the container @home ("": none) was mapped with @identity. @begun: the
 * mapping was observed when it was made, so the path has this content now. Returns 0 or -ENOMEM.
 */
int comparisons__mapped(struct comparisons *comparisons, const char *home, const char *path,
	const struct perfstamp_identity *identity, bool begun, uint64_t now_ns);
/*
 * Starts the next comparison that is due. Calls the function for a comparison that has ended or
 * could not be started. Returns 0 or -ENOMEM.
 */
int comparisons__run(struct comparisons *comparisons, uint64_t now_ns, struct error *err);
/* Returns the number of replacements that have not been compared yet. */
size_t comparisons__n_waiting(const struct comparisons *comparisons);

#endif
