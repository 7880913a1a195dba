/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a bucket of S3 is, and the keys to it, as for Amazon's own tools: AWS_ENDPOINT_URL_S3 or
 * AWS_ENDPOINT_URL, AWS_REGION or AWS_DEFAULT_REGION, and the credentials file. Connects to no
 * server.
 */
#ifndef PERFSTAMP_PUSH_OBJECTS_S3_H
#define PERFSTAMP_PUSH_OBJECTS_S3_H

#include "user/base/error.h"

struct s3 {
	char *url;       /* http or https; keys are appended; without a slash at its end */
	char *signature; /* as in http_file */
	char *key;       /* as in http_file */
	char *token;     /* a header line, or NULL */
};

/*
 * @url is s3://BUCKET/PREFIX. Returns 0, -EINVAL, -ENOENT if there are no keys, or -errno. Free
 * @ret in any case.
 */
int s3__find(struct s3 *ret, const char *url, struct error *err);
void s3__free(struct s3 *s3);

#endif
