/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses values of options that only record has. Names and units are perf's
 * (tools/perf/Documentation/perf-record.txt).
 */
#ifndef PERFSTAMP_CLI_RECORD_OPTIONS_H
#define PERFSTAMP_CLI_RECORD_OPTIONS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The size of a ring: pages, or bytes with B, K, M or G. Returns pages, or -EINVAL. */
ssize_t record_options__pages(const char *text);
/*
 * Parses "10-20,30-40": spans in ms that are in order and do not touch. Sets *@ret_ms to the begin
 * and the end of each, which the caller frees. Returns the number of these times, -EINVAL or
 * -ENOMEM.
 */
ssize_t record_options__spans(const char *text, uint32_t **ret_ms);
/* Parses "mono", "CLOCK_MONOTONIC" or "1". Returns a CLOCK_*, or -EINVAL. */
int record_options__clockid(const char *text);
#endif
