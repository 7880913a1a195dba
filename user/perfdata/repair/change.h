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

/*
 * The values to write into the copy of a record. record_change__none() has the record's own values.
 */
struct record_change {
	uint32_t pid;
	uint32_t tid;
	uint32_t ppid; /* for FORK and EXIT */
	uint32_t ptid;
	uint64_t time_ns;   /* not for samples */
	const char *path;   /* for MMAP and MMAP2; NULL: unchanged */
	bool without_chain; /* for samples */
};

/* Returns the change that leaves @event unchanged. */
struct record_change record_change__none(const struct event *event);
/*
 * Changes the plain record (plain_record.h) of @event, which begins at offset 0 of @record. @events
 * has the new ids. Returns 0; -EBADMSG if the record's event cannot be determined; -EOVERFLOW if
 * the record has no room for an id; or -ENOMEM.
 */
int record_change__apply(struct buffer *record, const struct event *event,
	const struct record_change *change, const struct input_events *events, bool swap);

#endif
