/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Serves the metrics of push from a thread of its own, because sending waits for the receiver.
 * Knows the numbers only as they were set last.
 */
#ifndef PERFSTAMP_CLI_PUSH_METRICS_H
#define PERFSTAMP_CLI_PUSH_METRICS_H

#include "user/base/error.h"
#include "user/view/fleet/push_metrics.h"

struct metrics_server;

/*
 * @where: see metrics_listener__new. Returns 0 or -errno with text. It serves until the process
 * ends.
 */
int metrics_server__new(struct metrics_server **ret, const char *where,
	const struct push_metrics *metrics, struct error *err);
/* Sets what is served from now on. */
void metrics_server__set(struct metrics_server *server, const struct push_metrics *metrics);

#endif
