/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decides which records a clean copy can contain: those that every perf from 6.1 on reads
 * without a warning. perf refuses a whole file for one record of an unknown type or event.
 * Checks one record at a time; does not know the copy.
 */
#ifndef PERFSTAMP_PERFDATA_SALVAGE_H
#define PERFSTAMP_PERFDATA_SALVAGE_H

#include "user/event/event.h"
#include "user/perfdata/read/reader.h"

enum salvage {
	SALVAGE_KEEP,
	SALVAGE_ROUND,        /* FINISHED_ROUND: round_marks.h decides */
	SALVAGE_HEADER,       /* of a pipe: becomes part of the header */
	SALVAGE_NO_EVENT,     /* its id belongs to no event */
	SALVAGE_CONTRADICTS,  /* its sizes contradict one another, or the records after it */
	SALVAGE_NOT_READABLE, /* not every perf reads it, or it refers to what is not kept */
};

/*
 * @event is the last one that @reader returned; @cpus is an upper bound of the machine's CPUs.
 * Returns one of the above, or -ENOMEM.
 */
int salvage__judge(struct perfdata_reader *reader, const struct event *event, uint32_t cpus);

#endif
