/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Serves the metrics of push from its own thread, because sending waits for the receiver. Serves
 * the numbers that were set last.
 */
#ifndef PERFSTAMP_CLI_PUSH_METRICS_H
#define PERFSTAMP_CLI_PUSH_METRICS_H

#include "user/base/error.h"
#include "user/view/fleet/push_metrics.h"

struct metrics_server;

/*
 * See metrics_listener__new for @where. Serves until the process ends. Returns 0 or -errno with
 * text.
 */
int metrics_server__new(struct metrics_server **ret, const char *where,
	const struct push_metrics *metrics, struct error *err);
/* Sets the numbers to serve. */
void metrics_server__set(struct metrics_server *server, const struct push_metrics *metrics);

#endif
