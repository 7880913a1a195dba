/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names of the numbers in records, which are the same in text, in JSON and in docs/format.md.
 * Unknown numbers have a name as well.
 */
#ifndef PERFSTAMP_VIEW_FORMAT_NAMES_H
#define PERFSTAMP_VIEW_FORMAT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfstamp/record.h"

const char *name__source(unsigned int source);      /* "page-cache", … */
const char *name__reason(unsigned int reason);      /* "no-note", … */
const char *name__module_event(unsigned int event); /* "load", … */
#define NAME_IDENTITY_SIZE (sizeof("cookie:") + 2 * PERFSTAMP_BUILD_ID_MAX)
#define NAME_ALL_DIGITS (2 * PERFSTAMP_BUILD_ID_MAX)
/*
 * Writes the first @digits of a build-id, or of a cookie after "cookie:". If there is neither,
 * writes "" and returns false.
 */
bool name__identity(
	char ret[NAME_IDENTITY_SIZE], const struct perfstamp_identity *identity, size_t digits);
/* "build-id", "cookie" or "none". */
const char *name__kind(const struct perfstamp_identity *identity);
/* "MMAP2", "SAMPLE", …; NULL for an unknown type. */
const char *name__record(uint32_t type);

#endif
