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
#include "user/source/perf/event.h"

struct control;

/* Returns 0, or -errno with text. */
int control__new(struct control **ret, const struct control_spec *spec, struct error *err);
void control__free(struct control *control);

/* What commands want of the recording, and @ctx for each. */
struct control_hooks {
	void (*stop)(void *ctx);
	/* Asks for a file. False: there is none to be had. */
	bool (*snapshot)(void *ctx);
	/* Tells the events. */
	void (*list)(void *ctx);
	/* A line that is no command; it has no answer. */
	void (*unknown)(void *ctx, const char *line);
	void *ctx;
};

/* To poll. */
int control__fd(const struct control *control);
/*
 * Does what has been asked for meanwhile, on the sampled events of @evlist, and
 * answers; what follows a stop is not read. Returns 1; 0 where the other side has
 * closed, and nothing will come any more; or -errno with text.
 */
int control__handle(struct control *control, struct evlist *evlist,
	const struct control_hooks *hooks, struct error *err);
/* The files that were asked for are there: answers those who did. */
void control__answer_snapshots(struct control *control);

#endif
