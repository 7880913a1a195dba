/* SPDX-License-Identifier: GPL-2.0-only */
/* Requests that contain a pprof profile, for Pyroscope and Parca. Pure. */
#ifndef PERFSTAMP_VIEW_PUSHED_H
#define PERFSTAMP_VIEW_PUSHED_H

#include <stddef.h>
#include <stdint.h>

struct pushed_label {
	const char *name;
	const char *value; /* UTF-8 */
};

struct pushed_profile {
	const void *pprof; /* gzipped */
	size_t size;
	const struct pushed_label *labels;
	size_t n_labels;
	uint8_t id[16]; /* the same each time the profile is sent */
};

/*
 * Each makes the body of a request, which the caller frees: a push.v1.PushRequest in protobuf; or
 * the JSON that Parca's gateway accepts as WriteRawRequest. Returns 0 or -ENOMEM.
 */
int pushed__pyroscope(char **ret, size_t *ret_size, const struct pushed_profile *profile);
int pushed__parca(char **ret, size_t *ret_size, const struct pushed_profile *profile);

#endif
