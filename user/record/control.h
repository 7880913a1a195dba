/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --control: commands that arrive through a file descriptor or a FIFO while a recording runs, and
 * the answers to them. Does not wait.
 */
#ifndef PERFSTAMP_RECORD_CONTROL_H
#define PERFSTAMP_RECORD_CONTROL_H

#include <stdbool.h>

#include "user/base/error.h"
#include "user/parse/control.h"
#include "user/source/perf/evlist.h"

struct control;

/* Returns 0, or -errno with text. */
int control__new(struct control **ret, const struct control_spec *spec, struct error *err);
void control__free(struct control *control);

/* The effects of commands; @ctx is passed to all functions. */
struct control_hooks {
	void (*stop)(void *ctx);
	/*
	 * Requests a file of the latest records. Returns false if this recording cannot write one.
	 */
	bool (*snapshot)(void *ctx);
	/* Prints the events. */
	void (*list)(void *ctx);
	/* Receives each line that is not a command. Such lines are not answered. */
	void (*unknown)(void *ctx, const char *line);
	void *ctx;
};

/* The file descriptor to poll for commands. */
int control__fd(const struct control *control);
/*
 * Executes and acknowledges the commands that have arrived; enable and disable apply to the
 * sampled events of @evlist. Commands after a stop are not read. Returns 1; 0 if the other
 * side has closed; or -errno with text.
 */
int control__handle(struct control *control, struct evlist *evlist,
	const struct control_hooks *hooks, struct error *err);
/* Acknowledges the snapshot commands; to be called when their file has been written. */
void control__answer_snapshots(struct control *control);

#endif
