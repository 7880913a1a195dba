// SPDX-License-Identifier: GPL-2.0-only
/*
 * See objects_s3.h. Keys are read only from a file: the credential `aws' of a systemd service,
 * AWS_SHARED_CREDENTIALS_FILE, or ~/.aws/credentials. It has lines NAME = VALUE in the section
 * [PROFILE].
 */
#include "user/push/objects_s3.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_MAX_SIZE 8192
#define S3 "s3://"

static const char *either(const char *first, const char *second, const char *otherwise)
{
	const char *value = getenv(first);

	if (!value || !*value)
		value = getenv(second);
	return value && *value ? value : otherwise;
}

/* ---- Keys ---- */

/* Returns NULL if no file is known. The caller frees the path. */
static char *credentials_path(void)
{
	const char *directory = getenv("CREDENTIALS_DIRECTORY"), *home = getenv("HOME");
	const char *named = getenv("AWS_SHARED_CREDENTIALS_FILE");
	char *path = NULL;

	if (directory && asprintf(&path, "%s/aws", directory) >= 0) {
		if (!access(path, F_OK))
			return path;
		free(path);
		path = NULL;
	}
	if (named && *named)
		return strdup(named);
	return home && asprintf(&path, "%s/.aws/credentials", home) >= 0 ? path : NULL;
}

static char *trim(char *text)
{
	size_t size;

	text += strspn(text, " \t");
	for (size = strlen(text); size && strchr(" \t\r\n", text[size - 1]); size--)
		text[size - 1] = '\0';
	return text;
}

struct keys {
	char *id, *secret, *token;
};

static void take_line(struct keys *keys, char *line)
{
	char *value = strchr(line, '='), **to = NULL;

	if (!value)
		return;
	*value++ = '\0';
	line = trim(line);
	if (!strcmp(line, "aws_access_key_id"))
		to = &keys->id;
	else if (!strcmp(line, "aws_secret_access_key"))
		to = &keys->secret;
	else if (!strcmp(line, "aws_session_token"))
		to = &keys->token;
	if (!to)
		return;
	free(*to);
	*to = strdup(trim(value));
}

static void read_keys(FILE *in, const char *profile, struct keys *ret)
{
	char line[LINE_MAX_SIZE], *text, *end;
	bool ours = false;

	while (fgets(line, sizeof(line), in)) {
		text = trim(line);
		end = *text == '[' ? strchr(text, ']') : NULL;
		if (end) {
			*end = '\0';
			ours = !strcmp(trim(text + 1), profile);
		} else if (ours && *text != '#' && *text != ';') {
			take_line(ret, text);
		}
	}
}

static int find_keys(struct s3 *ret, struct error *err)
{
	const char *profile = either("AWS_PROFILE", "AWS_DEFAULT_PROFILE", "default");
	struct keys keys = {0};
	char *path = credentials_path();
	FILE *in = path ? fopen(path, "re") : NULL;
	int code = 0;

	if (path && !in)
		code = error__errno(err, -errno, "%s", path);
	else if (!in)
		code = error__set(err, -ENOENT,
			"no file has the keys to the bucket: name one in "
			"AWS_SHARED_CREDENTIALS_FILE");
	if (in) {
		read_keys(in, profile, &keys);
		fclose(in);
	}
	if (!code && (!keys.id || !keys.secret || !*keys.id || !*keys.secret))
		code = error__set(err, -ENOENT,
			"%s: it has no aws_access_key_id and aws_secret_access_key in [%s]", path,
			profile);
	if (!code &&
		(asprintf(&ret->key, "%s:%s", keys.id, keys.secret) < 0 ||
			(keys.token && *keys.token &&
				asprintf(&ret->token, "x-amz-security-token: %s", keys.token) < 0)))
		code = error__set(err, -ENOMEM, "out of memory");
	free(keys.id);
	free(keys.secret);
	free(keys.token);
	free(path);
	return code;
}

/* ---- The place ---- */

/*
 * A server from the environment has buckets as directories; Amazon's servers have a host name for
 * each bucket.
 */
static int find_place(struct s3 *ret, const char *url, struct error *err)
{
	const char *bucket = url + strlen(S3);
	int bucket_size = (int)strcspn(bucket, "/");
	const char *prefix = bucket + bucket_size;
	const char *endpoint = either("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", NULL);
	const char *region = either("AWS_REGION", "AWS_DEFAULT_REGION", "us-east-1");
	size_t end;
	int n;

	if (!bucket_size)
		return error__set(err, -EINVAL, "the URL has no bucket: s3://BUCKET/PREFIX");
	if (endpoint && strncmp(endpoint, "http://", strlen("http://")) != 0 &&
		strncmp(endpoint, "https://", strlen("https://")) != 0)
		return error__set(
			err, -EINVAL, "AWS_ENDPOINT_URL is not a URL of http:// or https://");
	if (endpoint)
		n = asprintf(&ret->url, "%.*s/%.*s%s",
			(int)(strlen(endpoint) - (endpoint[strlen(endpoint) - 1] == '/')), endpoint,
			bucket_size, bucket, prefix);
	else if (memchr(bucket, '.', bucket_size)) /* wildcards of certificates match no dot */
		n = asprintf(&ret->url, "https://s3.%s.amazonaws.com/%.*s%s", region, bucket_size,
			bucket, prefix);
	else
		n = asprintf(&ret->url, "https://%.*s.s3.%s.amazonaws.com%s", bucket_size, bucket,
			region, prefix);
	if (n < 0)
		ret->url = NULL;
	for (end = ret->url ? strlen(ret->url) : 0; end && ret->url[end - 1] == '/'; end--)
		ret->url[end - 1] = '\0';
	if (!ret->url || asprintf(&ret->signature, "aws:amz:%s:s3", region) < 0)
		return error__set(err, -ENOMEM, "out of memory");
	return 0;
}

int s3__find(struct s3 *ret, const char *url, struct error *err)
{
	int code;

	memset(ret, 0, sizeof(*ret));
	code = find_place(ret, url, err);
	return code ? code : find_keys(ret, err);
}

void s3__free(struct s3 *s3)
{
	free(s3->url);
	free(s3->signature);
	free(s3->key);
	free(s3->token);
}
