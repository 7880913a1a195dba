/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Uses inotify to find out when a file is written to, so that each line of a map file is
 * read soon after it was written. For code_reader.c, which is notified as often as its
 * budget of CPU time allows, and otherwise polls.
 */
#ifndef PERFSTAMP_RECORD_CODE_WATCH_H
#define PERFSTAMP_RECORD_CODE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

struct code_watch {
	int fd;            /* of inotify; -1: not available */
	uint64_t looks;    /* reads that may still be made because of writes */
	uint64_t looks_ns; /* time at which .looks was computed */
};

/* Minimum time between two reads of one file because of writes. */
#define CODE_WATCH_LOOK_NS 150000ull

/* If inotify is unavailable, there are no notifications. */
void code_watch__init(struct code_watch *watch);
/* Requests notifications of writes to the open file @fd. Returns the file's number, or -1. */
int code_watch__add(struct code_watch *watch, int fd);
void code_watch__remove(struct code_watch *watch, int number);
/* Calls @fn with the number of each file that was written to since the last call. Never waits. */
void code_watch__drain(struct code_watch *watch, void (*fn)(void *ctx, int number), void *ctx);
/* Whether there is CPU time for a read because of a write. If so, the read is counted. */
bool code_watch__may_look(struct code_watch *watch, uint64_t now_ns);

#endif
