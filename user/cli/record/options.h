/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The values of options that only record has. Names and units are perf's
 * (tools/perf/Documentation/perf-record.txt).
 */
#ifndef PERFSTAMP_CLI_RECORD_OPTIONS_H
#define PERFSTAMP_CLI_RECORD_OPTIONS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A ring's size: pages, or bytes with B, K, M or G. Returns pages, or -EINVAL. */
ssize_t record_options__pages(const char *text);
/*
 * Parses "10-20,30-40", spans of ms that are in order and do not touch, to the times at
 * which each begins and ends, which the caller frees. Returns their number, -EINVAL or
 * -ENOMEM.
 */
ssize_t record_options__spans(const char *text, uint32_t **ret_ms);
/* "mono", "CLOCK_MONOTONIC", "1": a CLOCK_*, or -EINVAL. */
int record_options__clockid(const char *text);
#endif
