/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a file was written to between two looks at its times (struct perfstamp_witness).
 * Pure: asks no clock and no file.
 *
 * The proof. The kernel sets the change time (ctime) of an inode before it changes the
 * content, to the clock's last tick, and users cannot set it. So where both looks see one
 * ctime, there was a write between them only if the ctime is of the very tick in which the
 * first look was, or of a later one. Since Linux 6.13, some file systems mark a ctime that
 * somebody has asked for; the next change then sets another one, unless the file system
 * rounds it to the same (ext4 with inodes of 128 bytes keeps seconds). Nor is there a write
 * where the kernel denied writing at both looks, since a process ran the file.
 *
 * Three cases are not covered by it and are doubts. A write that had set its time before the
 * first look may continue after it: the file was open for writing then. A file that loses its name
 * gets a new ctime from that; the time of modification shows a write, too, but it can be set.
 * Where the ctime was marked, it shows each write: a write sets both to one time, which is
 * after every ctime that somebody has asked for, and no time that users did not set is younger
 * than the ctime.
 * A file system whose times come from elsewhere may have another clock.
 */
#ifndef PERFSTAMP_EVENT_WITNESS_H
#define PERFSTAMP_EVENT_WITNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "perfstamp/record.h"

struct witness_clock {
	int64_t offset_ns; /* CLOCK_REALTIME_COARSE minus CLOCK_MONOTONIC_COARSE */
	int64_t now_ns;    /* CLOCK_REALTIME, not before the second look */
};

enum witnessed {
	WITNESSED_UNWRITTEN, /* proven */
	WITNESSED_DOUBT,
	WITNESSED_WRITTEN, /* or its owner, mode or number of names changed */
};

/*
 * What happened between the look @mapped, which the kernel side took, and the look @later,
 * of which the times count, and PERFSTAMP_WITNESS_DENIED. @unlinked: the file has no name by
 * then.
 */
enum witnessed witness__compare(const struct perfstamp_witness *mapped,
	const struct perfstamp_witness *later, bool unlinked, const struct witness_clock *clock);

/*
 * The last moment, in ns since the epoch, at which a write can have left the time @sec, @nsec
 * of a file about which nothing else is known. The clock's tick that file times are of is late
 * where a virtual CPU waits; and what is in whole seconds may be rounded to them, or to two.
 */
int64_t witness__last_write(int64_t sec, uint32_t nsec);

#endif
