/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files under keys (a/b/c), in a directory, on an HTTP server that takes PUT, or in a
 * bucket of S3. A reader sees all of a file or nothing. Does not know what is in them.
 */
#ifndef PERFSTAMP_PUSH_OBJECTS_H
#define PERFSTAMP_PUSH_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "user/base/error.h"

#define OBJECTS_SHA256 32 /* bytes */

struct objects;

/* Texts have to live as long as the objects. */
struct objects_options {
	/* file:///DIR, http://HOST/PATH, https://HOST/PATH or s3://BUCKET/PREFIX */
	const char *url;
	const char *headers;     /* as of http__new */
	const char *authorities; /* as of http__new */
	unsigned int timeout_s;
};

bool objects__is_url(const char *url);

/*
 * Connects to no server yet. An S3 server and the keys to it are named as for Amazon's own
 * tools (objects_s3.h). Returns 0; -EINVAL for a URL that is not one of these, or has a
 * secret; -ENOENT without libcurl, or without keys. With text.
 */
int objects__new(struct objects **ret, const struct objects_options *options, struct error *err);
void objects__free(struct objects *objects);

/*
 * Whether there is one: 0, *@ret_size: its bytes, -1 if the server does not say; -ENOENT;
 * or as http__post, with text.
 */
int objects__find(struct objects *objects, const char *key, int64_t *ret_size,
	unsigned int *ret_wait_s, struct error *err);
/*
 * Puts all @size bytes of @fd, a file whose SHA-256 is @sha256, in place of what is there, and sees
 * to it that it is there as a whole. 0 or as http__post, with text.
 */
int objects__put(struct objects *objects, const char *key, int fd, uint64_t size,
	const uint8_t sha256[OBJECTS_SHA256], unsigned int *ret_wait_s, struct error *err);
/* 0, also where there is none; or as http__post, with text. */
int objects__remove(
	struct objects *objects, const char *key, unsigned int *ret_wait_s, struct error *err);

#endif
