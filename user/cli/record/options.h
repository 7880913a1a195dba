/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The values of record's options, from text. Names and units are perf's
 * (tools/perf/Documentation/perf-record.txt).
 */
#ifndef PERFSTAMP_CLI_RECORD_OPTIONS_H
#define PERFSTAMP_CLI_RECORD_OPTIONS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "user/record/recorder.h"

/* What the two below take, for error texts. */
#define RECORD_RUNGS "MMAP3, kprobe.multi, kprobe, uprobe_mmap, fentry, sys_exit or MMAP2"
#define RECORD_RING_SIZES "bytes, with K, M or G, up to 1G"

/* "1,2,3": the numbers, the caller's to free. Returns how many, -EINVAL or -ENOMEM. */
ssize_t record_options__pids(const char *text, pid_t **ret);
/* A ring's size: pages, or bytes with B, K, M or G. Returns pages, or -EINVAL. */
ssize_t record_options__pages(const char *text);
/* Bytes, with an optional B, K, M or G; at least @least. Returns 0 or -EINVAL. */
int record_options__bytes(const char *text, uint64_t *ret);
/* Bytes, with B, K, M or G, which must be there. Returns 0 or -EINVAL. */
int record_options__size(const char *text, uint64_t *ret);
/* A time with one of @units, of "smhdw", which must be there. Returns 0 or -EINVAL. */
int record_options__seconds(const char *text, const char *units, uint64_t *ret);
/* A time with s, m, h or d, in ns. Returns 0 or -EINVAL. */
int record_options__time(const char *text, uint64_t *ret_ns);
/* A positive decimal number. Returns 0 or -EINVAL. */
int record_options__number(const char *text, uint64_t *ret);
/*
 * "10-20,30-40": spans of ms, in order and apart. The moments at which one begins or ends, the
 * caller's to free. Returns how many, -EINVAL or -ENOMEM.
 */
ssize_t record_options__spans(const char *text, uint32_t **ret_ms);
/* "mono", "CLOCK_MONOTONIC", "1": a CLOCK_*, or -EINVAL. */
int record_options__clockid(const char *text);
/* The rung to begin with. Returns 0 or -EINVAL. */
int record_options__rung(const char *text, struct recorder_options *ret);
/* The size of the ring of map records. Returns 0 or -EINVAL. */
int record_options__ring(const char *text, struct recorder_options *ret);

#endif
