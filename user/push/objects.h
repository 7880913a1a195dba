/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stores files under keys (a/b/c): in a directory, on an HTTP server that accepts PUT, or in an S3
 * bucket. A reader never sees an incomplete file. Does not know what the files are.
 */
#ifndef PERFSTAMP_PUSH_OBJECTS_H
#define PERFSTAMP_PUSH_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "user/base/error.h"

#define OBJECTS_SHA256 32 /* bytes */

struct objects;

/* The strings must be valid as long as the objects. */
struct objects_options {
	/* file:///DIR, http://HOST/PATH, https://HOST/PATH or s3://BUCKET/PREFIX */
	const char *url;
	const char *headers;     /* as of http__new */
	const char *authorities; /* as of http__new */
	unsigned int timeout_s;
};

bool objects__is_url(const char *url);

/*
 * Does not connect yet. The S3 server and its keys are named as for Amazon's own tools
 * (objects_s3.h). Returns 0; -EINVAL for another kind of URL, or one with a secret; -ENOENT if
 * libcurl or the keys are missing; with text.
 */
int objects__new(struct objects **ret, const struct objects_options *options, struct error *err);
void objects__free(struct objects *objects);

/*
 * Finds a file. Returns 0, with its bytes in *@ret_size, or -1 if the server does not state them;
 * -ENOENT; or the errors of http__post, with text.
 */
int objects__find(struct objects *objects, const char *key, int64_t *ret_size,
	unsigned int *ret_wait_s, struct error *err);
/*
 * Stores all @size bytes of the file @fd, whose SHA-256 is @sha256, replacing an existing file, and
 * checks that the stored file is complete. Returns 0 or the errors of http__post, with text.
 */
int objects__put(struct objects *objects, const char *key, int fd, uint64_t size,
	const uint8_t sha256[OBJECTS_SHA256], unsigned int *ret_wait_s, struct error *err);
/* Returns 0, also if the file does not exist; or the errors of http__post, with text. */
int objects__remove(
	struct objects *objects, const char *key, unsigned int *ret_wait_s, struct error *err);

#endif
