/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A run is a process from its fork or exec to its next exec or its end. A pid has several
 * runs if its process executes another program or the pid is reused, and several recordings
 * use the same pids. Readers that identify a process by its pid alone, such as perf2bolt,
 * need a distinct number for each run. Pure.
 */
#ifndef PERFSTAMP_MODEL_RUNS_H
#define PERFSTAMP_MODEL_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/event/event.h"

struct runs;        /* the runs of one recording */
struct run_numbers; /* the numbers that are used in the copy */

int runs__new(struct runs **ret); /* Returns 0 or -ENOMEM */
void runs__free(struct runs *runs);

/* Takes the next event in time order. Returns 0 or -ENOMEM. */
int runs__apply(struct runs *runs, const struct event *event);
/* Marks the run of @pid at @time_ns as wanted, and the runs that it inherited mappings from. */
void runs__want(struct runs *runs, uint32_t pid, uint64_t time_ns);
bool runs__wants(const struct runs *runs, uint32_t pid, uint64_t time_ns);

int run_numbers__new(struct run_numbers **ret); /* Returns 0 or -ENOMEM */
void run_numbers__free(struct run_numbers *numbers);
/*
 * Assigns a number to each wanted run: its pid, or, if that is taken, a number that Linux does not
 * give to processes. Call it for one recording after the other.
 */
void runs__number(struct runs *runs, struct run_numbers *numbers);
/*
 * Sets the numbers of thread @tid of the wanted run of @pid at @time_ns. A thread without a wanted
 * run keeps its numbers. Returns 0 or -ENOMEM.
 */
int runs__renumber(struct runs *runs, struct run_numbers *numbers, uint32_t pid, uint32_t tid,
	uint64_t time_ns, uint32_t *ret_pid, uint32_t *ret_tid);

#endif
