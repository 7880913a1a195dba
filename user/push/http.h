/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * HTTP requests with libcurl, which is loaded when it is needed, like libpq. Secrets are passed as
 * header lines, never in the URL. Does not know what is sent.
 */
#ifndef PERFSTAMP_PUSH_HTTP_H
#define PERFSTAMP_PUSH_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"
#include "user/base/error.h"

struct http;

/* Whether @url begins with http:// or https://. */
bool http__is_url(const char *url);

/*
 * @headers are lines sent with each request, or NULL. @authorities is a file of certificates that
 * are trusted instead of the system's, or NULL. @timeout_s is how long a receiver may send nothing.
 * Strings except @headers must be valid as long as the result. Does not connect yet. Returns 0;
 * -EINVAL if the URL has a user or a password; -ENOENT if libcurl is not installed; with a text
 * that contains no part of the URL.
 */
int http__new(struct http **ret, const char *url, const char *headers, const char *authorities,
	unsigned int timeout_s, struct error *err);
void http__free(struct http *http);

/*
 * Posts @size bytes of @type. @gzipped: the whole body is compressed, which a header then states.
 * Returns 0 for a 2xx answer, whose beginning is in @ret_answer. Otherwise with text: -EAGAIN if
 * the receiver is unreachable, overloaded or broken, with *@ret_wait_s if the receiver states how
 * many seconds to wait; -EBADMSG if it will never accept this body; -EIO if it refuses all
 * requests, for example because a token is missing.
 */
int http__post(struct http *http, const char *type, bool gzipped, const void *body, size_t size,
	struct buffer *ret_answer, unsigned int *ret_wait_s, struct error *err);

/* A request for one file of the server. */
struct http_file {
	const char *method; /* "HEAD", "PUT", "DELETE" */
	const char *url;    /* used instead of the URL of http__new */
	int fd;             /* PUT: the file to send, from its beginning */
	uint64_t size;      /* PUT: its size in bytes */
	/* Amazon's signature, version 4; NULL: none. */
	const char *signature;  /* "aws:amz:REGION:s3" */
	const char *key;        /* "ID:SECRET" */
	const char *headers[3]; /* whole lines, up to the first NULL */
};

/*
 * Sends the request. Returns 0 for a 2xx answer; *@ret_size is then the file's size by the headers,
 * or -1 if they do not state it. Otherwise with text: -ENOENT for 404 and 410; or as http__post.
 */
int http__file(struct http *http, const struct http_file *file, int64_t *ret_size,
	unsigned int *ret_wait_s, struct error *err);

#endif
