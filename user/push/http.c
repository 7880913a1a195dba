// SPDX-License-Identifier: GPL-2.0-only
/* See http.h. */
#include "user/push/http.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/push/libcurl.h"

#define ANSWER_MAX ((size_t)64 << 10)
#define CONNECT_S 10

struct http {
	struct libcurl lib;
	CURL *curl;
	const char *url;
	struct curl_slist *headers; /* those of the caller */
	const char *authorities;
	unsigned int timeout_s;
	struct buffer *answer;
	char said[CURL_ERROR_SIZE];
};

bool http__is_url(const char *url)
{
	return !strncmp(url, "http://", strlen("http://")) ||
	       !strncmp(url, "https://", strlen("https://"));
}

static int add_headers(struct http *http, const char *lines)
{
	char *copy = strdup(lines ? lines : ""), *rest = NULL;
	struct curl_slist *list;
	int code = copy ? 0 : -ENOMEM;

	for (char *line = copy ? strtok_r(copy, "\r\n", &rest) : NULL; line && !code;
		line = strtok_r(NULL, "\r\n", &rest)) {
		list = http->lib.curl_slist_append(http->headers, line);
		code = list ? 0 : -ENOMEM;
		if (list)
			http->headers = list;
	}
	free(copy);
	return code;
}

/* In a URL, a user, and possibly a password, precedes an @ in the host's part. */
static bool has_secret(const char *url)
{
	const char *host = strstr(url, "://") + strlen("://");

	return memchr(host, '@', strcspn(host, "/?#"));
}

int http__new(struct http **ret, const char *url, const char *headers, const char *authorities,
	unsigned int timeout_s, struct error *err)
{
	struct http *http;
	int code;

	*ret = NULL;
	if (has_secret(url))
		return error__set(err, -EINVAL,
			"the URL has a user or a password, which every user of this machine can "
			"read: put a line `Authorization: ...' into a file for --headers, and "
			"change the password");
	http = calloc(1, sizeof(*http));
	if (!http)
		return error__set(err, -ENOMEM, "out of memory");
	http->url = url;
	http->authorities = authorities;
	http->timeout_s = timeout_s;
	code = libcurl__open(&http->lib, err);
	if (!code && add_headers(http, headers))
		code = error__set(err, -ENOMEM, "out of memory");
	if (code) {
		http__free(http);
		return code;
	}
	*ret = http;
	return 0;
}

void http__free(struct http *http)
{
	if (!http)
		return;
	if (http->curl)
		http->lib.curl_easy_cleanup(http->curl);
	if (http->headers)
		http->lib.curl_slist_free_all(http->headers);
	free(http);
}

/* If an answer is too long, its rest is skipped. */
static size_t take_answer(char *bytes, size_t size, size_t n, void *ctx)
{
	struct buffer *answer = ctx;

	if (answer->size + n * size <= ANSWER_MAX)
		buffer__append(answer, bytes, n * size);
	return n * size;
}

static int judge(long status, struct error *err)
{
	int code = -EAGAIN;

	if (status >= 200 && status < 300)
		return 0;
	if (status == 404 || status == 410)
		code = -ENOENT;
	else if (status == 400 || status == 413 || status == 415 || status == 422)
		code = -EBADMSG;
	else if (status < 500 && status != 408 && status != 425 && status != 429)
		code = -EIO;
	return error__set(err, code, "the receiver answers with HTTP status %ld%s", status,
		status == 401 || status == 403
			? ": it requires a header, as Authorization: name a file with --headers"
		: status == 404 ? ": is the path in the URL right?"
				: "");
}

/* Sets the options of all requests. */
static void prepare(struct http *http, const char *url, struct curl_slist *headers)
{
	CURL *curl = http->curl;

	http->lib.curl_easy_reset(curl);
	http->lib.curl_easy_setopt(curl, CURLOPT_URL, url);
	http->lib.curl_easy_setopt(curl, CURLOPT_USERAGENT, "perfstamp/" PERFSTAMP_VERSION);
	http->lib.curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
	http->lib.curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_answer);
	http->lib.curl_easy_setopt(curl, CURLOPT_WRITEDATA, http->answer);
	http->lib.curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, http->said);
	http->lib.curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	http->lib.curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S);
	http->lib.curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
	http->lib.curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, (long)http->timeout_s);
	if (http->authorities)
		http->lib.curl_easy_setopt(curl, CURLOPT_CAINFO, http->authorities);
	*http->said = '\0';
}

/* Sends the prepared request, on a new connection if the last one failed. */
static int perform(struct http *http, unsigned int *ret_wait_s, struct error *err)
{
	curl_off_t wait_s = 0;
	long status = 0;
	int failed = http->lib.curl_easy_perform(http->curl);

	*ret_wait_s = 0;
	if (failed) {
		error__set(err, -EAGAIN, "the receiver cannot be reached: %s",
			*http->said ? http->said : http->lib.curl_easy_strerror(failed));
		http->lib.curl_easy_cleanup(http->curl);
		http->curl = NULL;
		return -EAGAIN;
	}
	http->lib.curl_easy_getinfo(http->curl, CURLINFO_RESPONSE_CODE, &status);
	http->lib.curl_easy_getinfo(http->curl, CURLINFO_RETRY_AFTER, &wait_s);
	*ret_wait_s = wait_s > 0 && wait_s < 86400 ? (unsigned int)wait_s : 0;
	return judge(status, err);
}

static int begin(struct http *http, struct error *err)
{
	if (!http->curl)
		http->curl = http->lib.curl_easy_init();
	return http->curl ? 0 : error__set(err, -ENOMEM, "out of memory");
}

int http__post(struct http *http, const char *type, bool gzipped, const void *body, size_t size,
	struct buffer *ret_answer, unsigned int *ret_wait_s, struct error *err)
{
	char content_type[128];
	struct curl_slist headers[] = {
		{"Content-Encoding: gzip", &headers[1]},
		{content_type, &headers[2]},
		/* Waiting for `100 Continue' costs a second if the server does not support it. */
		{"Expect:", http->headers},
	};
	int code = begin(http, err);

	*ret_wait_s = 0;
	if (code)
		return code;
	snprintf(content_type, sizeof(content_type), "Content-Type: %s", type);
	http->answer = ret_answer;
	prepare(http, http->url, gzipped ? headers : headers + 1);
	http->lib.curl_easy_setopt(http->curl, CURLOPT_POST, 1L);
	http->lib.curl_easy_setopt(http->curl, CURLOPT_POSTFIELDS, body);
	http->lib.curl_easy_setopt(http->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)size);
	code = perform(http, ret_wait_s, err);
	/* All requests use one path: if it does not exist, no request can succeed. */
	return code == -ENOENT ? -EIO : code;
}

/* ---- Files ---- */

struct body {
	int fd;
	off_t at;
};

static size_t read_body(char *bytes, size_t size, size_t n, void *ctx)
{
	struct body *body = ctx;
	ssize_t got = pread(body->fd, bytes, n * size, body->at);

	if (got < 0)
		return CURL_READFUNC_ABORT;
	body->at += got;
	return got;
}

/* Called if the request is sent again, because the server has closed the connection meanwhile. */
static int seek_body(void *ctx, curl_off_t to, int from)
{
	struct body *body = ctx;

	if (from != SEEK_SET)
		return CURL_SEEKFUNC_CANTSEEK;
	body->at = to;
	return CURL_SEEKFUNC_OK;
}

/* Returns 0 or -EIO with text. */
static int set_file(
	struct http *http, const struct http_file *file, struct body *body, struct error *err)
{
	CURL *curl = http->curl;

	if (!strcmp(file->method, "HEAD")) {
		http->lib.curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
	} else if (!strcmp(file->method, "PUT")) {
		http->lib.curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
		http->lib.curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, (curl_off_t)file->size);
		http->lib.curl_easy_setopt(curl, CURLOPT_READFUNCTION, read_body);
		http->lib.curl_easy_setopt(curl, CURLOPT_READDATA, body);
		http->lib.curl_easy_setopt(curl, CURLOPT_SEEKFUNCTION, seek_body);
		http->lib.curl_easy_setopt(curl, CURLOPT_SEEKDATA, body);
	} else {
		http->lib.curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, file->method);
	}
	if (!file->signature)
		return 0;
	if (http->lib.curl_easy_setopt(curl, CURLOPT_AWS_SIGV4, file->signature) ||
		http->lib.curl_easy_setopt(curl, CURLOPT_USERPWD, file->key))
		return error__set(err, -EIO, "this libcurl cannot sign requests: it requires 7.75");
	return 0;
}

int http__file(struct http *http, const struct http_file *file, int64_t *ret_size,
	unsigned int *ret_wait_s, struct error *err)
{
	/* libcurl only reads them. */
	struct curl_slist headers[] = {{"Expect:", NULL}, {(char *)file->headers[0], NULL},
		{(char *)file->headers[1], NULL}, {(char *)file->headers[2], NULL}};
	/*
	 * With a signature, the first line is omitted: libcurl would sign that header, but not send
	 * it.
	 */
	size_t first = file->signature ? 1 : 0;
	struct body body = {.fd = file->fd};
	curl_off_t size = -1;
	struct buffer answer;
	size_t n = 0;
	int code = begin(http, err);

	*ret_wait_s = 0;
	*ret_size = -1;
	if (code)
		return code;
	for (; n < 3 && file->headers[n]; n++)
		headers[n].next = &headers[n + 1];
	headers[n].next = http->headers;
	buffer__init(&answer, 0);
	http->answer = &answer;
	prepare(http, file->url, first <= n ? &headers[first] : http->headers);
	code = set_file(http, file, &body, err);
	if (!code)
		code = perform(http, ret_wait_s, err);
	if (!code)
		http->lib.curl_easy_getinfo(http->curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &size);
	*ret_size = size;
	buffer__free(&answer);
	http->answer = NULL;
	return code;
}
