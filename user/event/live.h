/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perfstamp's own live records (perfstamp/record.h) to struct event. The bytes are from our
 * BPF programs, but their lengths are checked, because any process can choose paths. Pure.
 */
#ifndef PERFSTAMP_EVENT_LIVE_H
#define PERFSTAMP_EVENT_LIVE_H

#include <stddef.h>

#include "user/base/error.h"
#include "user/event/event.h"

/*
 * A struct perfstamp_map of at most @size bytes. .raw is NULL, because there is no perf
 * record yet. Pointers point into @record. Returns 0 or -EBADMSG.
 */
int event__from_map_record(struct event *ret, const void *record, size_t size, struct error *err);

/* Decodes a struct perfstamp_thread into the thread's FORK, and the COMM that follows it. */
int event__from_thread_record(struct event *ret_fork, struct event *ret_comm, const void *record,
	size_t size, struct error *err);

#endif
