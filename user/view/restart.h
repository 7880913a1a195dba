/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lists what to restart so that no process runs a replaced build: by systemd, by the runtime of a
 * container, or by hand. Collects the rows of replaced.h, each unit or container once, and writes
 * them as text. Reads neither the model nor the machine; executes nothing.
 */
#ifndef PERFSTAMP_VIEW_RESTART_H
#define PERFSTAMP_VIEW_RESTART_H

#include "user/view/replaced.h"

#define RESTART_COMMAND_MAX ((size_t)4 * CONTAINER_TEXT_MAX)
#define RESTART_PIDS_MAX 8 /* pids that are shown of a unit or container */

struct restart_item {
	enum restart_by by;
	char place[RESTART_COMMAND_MAX];   /* unit or container */
	char command[RESTART_COMMAND_MAX]; /* words that need no quotes, or a sentence */
	const char *reason; /* why a person has to decide; NULL: there is no other way */
	struct {
		uint32_t pid;
		char comm[PERFSTAMP_COMM_MAX];
	} shown[RESTART_PIDS_MAX];
	size_t n_processes;
};

/* Must be zeroed before use. */
struct restart_plan {
	struct restart_item *items; /* in the order of their first rows */
	size_t n;
	size_t room;
	/*
	 * Processes that were counted: each counts once, even if several of its paths were
	 * replaced.
	 */
	uint32_t *pids;
	size_t n_pids;
	size_t pids_room;
};

/* Adds the processes in @row. Returns 0 or -ENOMEM. */
int restart_plan__add(struct restart_plan *plan, const struct replaced_row *row);
/* Returns the unit that .command restarts; NULL if it is not a unit of the system. */
const char *restart_item__unit(const struct restart_item *item);
/* Marks @unit for a restart by hand, because of @reason, a string literal. */
void restart_plan__leave(struct restart_plan *plan, const char *unit, const char *reason);
/* The number of items that are restarted in this way. */
size_t restart_plan__count(const struct restart_plan *plan, enum restart_by by);
/* Errors stick to @out. */
void restart_plan__write(FILE *out, const struct restart_plan *plan);
void restart_plan__free(struct restart_plan *plan);

#endif
