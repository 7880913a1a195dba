/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests by HTTP with libcurl, which is opened when it is needed, like libpq. Secrets
 * come as header lines, never in the URL. Does not know what is sent.
 */
#ifndef PERFSTAMP_PUSH_HTTP_H
#define PERFSTAMP_PUSH_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"
#include "user/base/error.h"

struct http;

/* Whether @url is one of these: http:// or https://. */
bool http__is_url(const char *url);

/*
 * @headers are lines sent with each request, or NULL; @authorities is a file of
 * certificates that are trusted instead of the system's, or NULL; @timeout_s is how long a
 * receiver may say nothing. Strings except @headers have to live as long. Does not connect
 * yet. Returns 0; -EINVAL if the URL has a user or a password; -ENOENT without libcurl.
 * With text, which has nothing of the URL.
 */
int http__new(struct http **ret, const char *url, const char *headers, const char *authorities,
	unsigned int timeout_s, struct error *err);
void http__free(struct http *http);

/*
 * Posts @size bytes of @type; @gzipped: the whole body is, which the request then says. 0
 * for an answer of 2xx: its beginning is in @ret_answer. Else with text: -EAGAIN if the
 * receiver is away, overloaded or broken, not before *@ret_wait_s seconds if it reports
 * this; -EBADMSG if it will never take this body; -EIO if it refuses whatever is sent, as
 * for lack of a token.
 */
int http__post(struct http *http, const char *type, bool gzipped, const void *body, size_t size,
	struct buffer *ret_answer, unsigned int *ret_wait_s, struct error *err);

/* A request about one file of the server. */
struct http_file {
	const char *method; /* "HEAD", "PUT", "DELETE" */
	const char *url;    /* instead of the one of http__new */
	int fd;             /* PUT: what is sent, from its beginning */
	uint64_t size;      /* bytes of that */
	/* Amazon's signature, version 4; NULL: none. */
	const char *signature;  /* "aws:amz:REGION:s3" */
	const char *key;        /* "ID:SECRET" */
	const char *headers[3]; /* whole lines; NULL: no more */
};

/*
 * Sends that. 0 for an answer of 2xx, *@ret_size: how long the file is by its headers, -1
 * if they do not say. Else with text: -ENOENT for 404 and 410; or as http__post.
 */
int http__file(struct http *http, const struct http_file *file, int64_t *ret_size,
	unsigned int *ret_wait_s, struct error *err);

#endif
