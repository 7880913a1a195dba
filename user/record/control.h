/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --control: commands that come through a file descriptor or a FIFO while a
 * recording runs, and the answers to them. Does not wait.
 */
#ifndef PERFSTAMP_RECORD_CONTROL_H
#define PERFSTAMP_RECORD_CONTROL_H

#include <stdbool.h>

#include "user/base/error.h"
#include "user/parse/control.h"
#include "user/source/perf_event.h"

struct control;

/* Returns 0, or -errno with text. */
int control__new(struct control **ret, const struct control_spec *spec, struct error *err);
void control__free(struct control *control);

/* To poll. */
int control__fd(const struct control *control);
/*
 * Does what has been asked for meanwhile, on the sampled events of @evlist, and
 * answers. *@ret_stop is set where recording shall end. A line that is no
 * command goes to @unknown and has no answer. Returns 1; 0 where the other side
 * has closed, and nothing will come any more; or -errno with text.
 */
int control__handle(struct control *control, struct evlist *evlist, bool *ret_stop,
	void (*unknown)(const char *line, void *ctx), void *ctx, struct error *err);

#endif
