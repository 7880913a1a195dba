/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Serves a page of text by HTTP, on a unix socket or on a loopback address. Serves one
 * client at a time, without blocking, and disconnects slow clients. Does not know the text.
 */
#ifndef PERFSTAMP_SOURCE_METRICS_LISTENER_H
#define PERFSTAMP_SOURCE_METRICS_LISTENER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "user/base/error.h"

struct metrics_listener;

/* The longest time of a connection. */
#define METRICS_TIMEOUT_S 5

/* Writes the text. */
typedef void metrics_write_fn(void *ctx, FILE *out);

/* Stores the text that @write writes in *@ret, for free(). Returns 0, or -ENOMEM with NULL. */
int metrics_text__make(metrics_write_fn *write, void *ctx, char **ret, size_t *ret_size);

/*
 * @where is a path, "unix:PATH", "127.0.0.1:PORT", "[::1]:PORT" or "localhost:PORT". The file of a
 * unix socket gets mode 0600. It replaces the file of a socket that has no listener. Returns 0 or
 * -errno.
 */
int metrics_listener__new(struct metrics_listener **ret, const char *where, metrics_write_fn *fn,
	void *ctx, struct error *err);
/* Removes the socket's file, too. */
void metrics_listener__free(struct metrics_listener *listener);

/* A descriptor to poll: readable if there is something to do. */
int metrics_listener__fd(const struct metrics_listener *listener);
/* Does what it can without blocking. */
void metrics_listener__handle(struct metrics_listener *listener);

/* The number of clients that were disconnected, since the start. */
uint64_t metrics_listener__cut(const struct metrics_listener *listener);

#endif
