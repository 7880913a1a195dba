// SPDX-License-Identifier: GPL-2.0-only
/* See metrics.h. */
#include "user/cli/push/metrics.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>

#include "user/source/machine/metrics_listener.h"
#include "user/source/machine/own_usage.h"

#define LOOK_MS 1000 /* interval of checks for clients that are too slow */

struct metrics_server {
	struct metrics_listener *listener;
	pthread_mutex_t lock;        /* protects the following members */
	struct push_metrics metrics; /* without CPU time and memory */
};

static void write_text(void *ctx, FILE *out)
{
	struct metrics_server *server = ctx;
	struct push_metrics metrics;

	pthread_mutex_lock(&server->lock);
	metrics = server->metrics;
	pthread_mutex_unlock(&server->lock);
	metrics.cpu_s = own_usage__cpu_s(true);
	metrics.rss_bytes = own_usage__memory();
	push_metrics__write(out, &metrics);
}

static void *serve(void *ctx)
{
	struct metrics_server *server = ctx;
	struct pollfd poller = {
		.fd = metrics_listener__fd(server->listener),
		.events = POLLIN,
	};

	for (;;) {
		poll(&poller, 1, LOOK_MS);
		metrics_listener__handle(server->listener);
	}
	return NULL;
}

int metrics_server__new(struct metrics_server **ret, const char *where,
	const struct push_metrics *metrics, struct error *err)
{
	struct metrics_server *server = calloc(1, sizeof(*server));
	pthread_t thread;
	int code;

	*ret = NULL;
	if (!server)
		return error__set(err, -ENOMEM, "out of memory");
	server->metrics = *metrics;
	pthread_mutex_init(&server->lock, NULL);
	code = metrics_listener__new(&server->listener, where, write_text, server, err);
	if (!code) {
		code = -pthread_create(&thread, NULL, serve, server);
		if (code)
			error__errno(err, code, "a thread for the metrics");
	}
	if (code) {
		metrics_listener__free(server->listener);
		free(server);
		return code;
	}
	pthread_detach(thread);
	*ret = server;
	return 0;
}

void metrics_server__set(struct metrics_server *server, const struct push_metrics *metrics)
{
	pthread_mutex_lock(&server->lock);
	server->metrics = *metrics;
	pthread_mutex_unlock(&server->lock);
}
