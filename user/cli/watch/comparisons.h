/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Comparisons for watch: some time after a path got other content, runs `perfstamp diff
 * --since-replaced' on a recording that another recorder writes.
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
 * Called when the comparison of @path has ended: @json has the @size bytes that it wrote, or
 * @error, whose text is not to be trusted, says why there are none.
 */
typedef void comparisons_fn(
	void *ctx, const char *path, const char *json, size_t size, const char *error);

struct comparisons_options {
	const char *file;        /* the recording */
	const char *buildid_dir; /* directory with symbols; NULL: perf's cache */
	uint64_t after_ns;       /* between a new content and its comparison */
	comparisons_fn *fn;
	void *ctx;
};

/* The data that @options points to must live as long as *@ret. Returns 0 or -ENOMEM. */
int comparisons__new(struct comparisons **ret, const struct comparisons_options *options);
/* Ends the process that runs. */
void comparisons__free(struct comparisons *comparisons);

/*
 * @path in the container @home ("": none) was mapped, with @identity. @begun: the mapping
 * was seen to be made, so that this is the content that the path has now. Returns 0 or
 * -ENOMEM.
 */
int comparisons__mapped(struct comparisons *comparisons, const char *home, const char *path,
	const struct perfstamp_identity *identity, bool begun, uint64_t now_ns);
/*
 * Starts the next that is due, and passes one that has ended to its function, also one that could
 * not be started. Returns 0 or -ENOMEM.
 */
int comparisons__run(struct comparisons *comparisons, uint64_t now_ns, struct error *err);
/* How many replacements have not been compared yet. */
size_t comparisons__n_waiting(const struct comparisons *comparisons);

#endif
