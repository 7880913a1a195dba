/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decides whether a file was written to between two readings of its times (struct
 * perfstamp_witness). Pure: reads no clock and no file.
 *
 * The proof. The kernel sets the change time (ctime) of an inode before it changes the
 * content, to the time of the last timer tick, and users cannot set it. So if both readings
 * have the same ctime, there was a write between them only if the ctime is in the same tick
 * as the first reading, or later. Since Linux 6.13, some file systems mark a ctime that was
 * queried. The next change then sets another one, unless the file system rounds it to the
 * same (ext4 with inodes of 128 bytes stores seconds). There was also no write if the
 * kernel denied writing at both readings, because a process was running the file.
 *
 * Three cases are not covered, and count as doubts. First, a write that set its time before
 * the first reading may continue after it; the file was then open for writing. Second,
 * deleting a file sets a new ctime. The mtime also shows a write, but users can set it. If
 * the ctime was marked, the mtime still shows each write: a write sets both to one time,
 * which is later than every queried ctime, and only users can set an mtime later than the
 * ctime. Third, a file system whose times are set elsewhere may use another clock.
 */
#ifndef PERFSTAMP_EVENT_WITNESS_H
#define PERFSTAMP_EVENT_WITNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "perfstamp/record.h"

struct witness_clock {
	int64_t offset_ns; /* CLOCK_REALTIME_COARSE minus CLOCK_MONOTONIC_COARSE */
	int64_t now_ns;    /* CLOCK_REALTIME, not before the second reading */
};

enum witnessed {
	WITNESSED_UNWRITTEN, /* proven: nothing was written */
	WITNESSED_DOUBT,
	WITNESSED_WRITTEN, /* written to, or its owner, mode or link count changed */
};

/*
 * Returns what happened between the reading @mapped, by the kernel side, and the reading
 * @later, of which the times and PERFSTAMP_WITNESS_DENIED are used. @unlinked: the file was
 * deleted before the second reading.
 */
enum witnessed witness__compare(const struct perfstamp_witness *mapped,
	const struct perfstamp_witness *later, bool unlinked, const struct witness_clock *clock);

/*
 * The latest time, in ns since the epoch, at which a write can have set the file time @sec,
 * @nsec, if nothing else is known about the file. The timer tick is late if a virtual CPU
 * has to wait, and whole seconds may be rounded to one or two seconds.
 */
int64_t witness__last_write(int64_t sec, uint32_t nsec);

#endif
