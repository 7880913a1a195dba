/* SPDX-License-Identifier: GPL-2.0-only */
/* Requests with a pprof profile in them, as Pyroscope and Parca take them. Pure. */
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
 * Each makes the body of a request, which the caller frees: a push.v1.PushRequest, as
 * protobuf; or what Parca's gateway takes for WriteRawRequest, as JSON. Returns 0 or
 * -ENOMEM.
 */
int pushed__pyroscope(char **ret, size_t *ret_size, const struct pushed_profile *profile);
int pushed__parca(char **ret, size_t *ret_size, const struct pushed_profile *profile);

#endif
