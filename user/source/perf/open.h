/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf_event_open(2), the limits in this machine's settings, and why the kernel refuses an event,
 * with a remedy. Keeps no state.
 */
#ifndef PERFSTAMP_SOURCE_PERF_OPEN_H
#define PERFSTAMP_SOURCE_PERF_OPEN_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "user/base/error.h"

/* Returns a file descriptor (close-on-exec) or -errno. Tries again after EINTR. */
int perf_open(struct perf_event_attr *attr, pid_t tid, int cpu);
/* Opens in the group of @leader (-1: none), or for cgroup @pid with PERF_FLAG_PID_CGROUP. */
int perf_open__with(
	struct perf_event_attr *attr, pid_t pid, int cpu, int leader, unsigned long flags);

/* Stores the text for -errno @code of perf_open in @err; returns @code. */
int perf_open__explain(struct error *err, int code, const struct perf_event_attr *attr,
	const char *name, pid_t tid, int cpu);

/* Whether the kernel knows PERF_FORMAT_LOST (Linux 6.0); true if this cannot be found out. */
bool perf_open__has_lost_count(void);

/*
 * Whether the kernel has taken the enabled event @fd from its CPU, which was off-line: it
 * stays open, but no longer counts. For events with PERF_FORMAT_TOTAL_TIME_ENABLED; takes
 * 20 ms if true.
 */
bool perf_open__is_taken(int fd);

/*
 * The value of kernel.perf_event_paranoid or another setting; the kernel's default if unreadable.
 */
int perf_open__paranoid(void);
int64_t perf_open__max_sample_rate(void); /* Hz */
int64_t perf_open__mlock_kb(void);

/*
 * Raises RLIMIT_NOFILE so that @n files can be open. If the hard limit is too low, raises that as
 * well, if we may. Must be called before opening the files, because reading the limit needs a
 * descriptor. Returns false if it fails.
 */
bool perf_open__allow_files(size_t n);
#define PERF_OPEN_OTHER_FILES 256 /* other files of a recorder: BPF, output, /proc */

#endif
