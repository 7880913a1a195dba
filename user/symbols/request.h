/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A request of symbols.c to its child, as bytes: the child may have been forked before the request
 * was known. The child trusts these bytes.
 */
#ifndef PERFSTAMP_SYMBOLS_REQUEST_H
#define PERFSTAMP_SYMBOLS_REQUEST_H

#include "user/base/buffer.h"
#include "user/symbols/query.h"

struct symbols_request {
	struct symbols_options options; /* .progress and .ctx are NULL */
	struct symbols_dso dso;
	struct perfstamp_identity identity;
	uint64_t *offsets;
	uint64_t n;
	uint8_t *bytes; /* the strings point into these */
};

/* Appends the request. Failure sticks in the buffer. */
void symbols_request__write(struct buffer *ret, const struct symbols_options *options,
	const struct symbols_dso *dso, const uint64_t *offsets, size_t n);
/*
 * Reads a request from @fd. Returns 0; -EBADMSG if it is incomplete; or -errno. Nothing is freed,
 * because the process exits after this request.
 */
int symbols_request__read(struct symbols_request *ret, int fd);

#endif
