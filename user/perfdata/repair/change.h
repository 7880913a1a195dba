/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Changes ids, pids and paths of records in a copy, so that records of several recordings
 * can be in one file. A part of repair.c, for its use only.
 */
#ifndef PERFSTAMP_PERFDATA_CHANGE_H
#define PERFSTAMP_PERFDATA_CHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "user/base/buffer.h"
#include "user/event/event.h"
#include "user/perfdata/repair/merged_events.h"

/* What the copy of a record has; as in the event where it stays. */
struct record_change {
	uint32_t pid;
	uint32_t tid;
	uint32_t ppid; /* of FORK and EXIT */
	uint32_t ptid;
	uint64_t time_ns;   /* not of samples */
	const char *path;   /* of MMAP and MMAP2; NULL: it stays */
	bool without_chain; /* of samples */
};

/* The change that changes nothing. */
struct record_change record_change__none(const struct event *event);
/*
 * Changes the plain record (plain_record.h) of @event in @record, which begins at 0 there;
 * ids by @events. Returns 0; -EBADMSG if the record does not show of which event it is; or
 * -ENOMEM.
 */
int record_change__apply(struct buffer *record, const struct event *event,
	const struct record_change *change, const struct input_events *events, bool swap);

#endif
