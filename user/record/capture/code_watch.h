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
	int fd;            /* inotify; -1: there is none */
	uint64_t looks;    /* that may still be made for writes */
	uint64_t looks_ns; /* when their number was measured */
};

/* Least time between two reads of one file because of writes. */
#define CODE_WATCH_LOOK_NS 150000ull

/* Without inotify there are no notifications. */
void code_watch__init(struct code_watch *watch);
/* From now on writes to the open file @fd are notified. Its number, or -1. */
int code_watch__add(struct code_watch *watch, int fd);
void code_watch__remove(struct code_watch *watch, int number);
/* Hands @fn the number of each file that was written to since the last call. Never waits. */
void code_watch__drain(struct code_watch *watch, void (*fn)(void *ctx, int number), void *ctx);
/* Whether there is CPU time for a look because of a write; then it counts as made. */
bool code_watch__may_look(struct code_watch *watch, uint64_t now_ns);

#endif
