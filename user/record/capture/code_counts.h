/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was recorded about code made at run time, and what was missed: as a sentence, and as lines
 * of the recording. For code_capture.c.
 */
#ifndef PERFSTAMP_RECORD_CODE_COUNTS_H
#define PERFSTAMP_RECORD_CODE_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"
#include "user/record/capture/code_reader.h"

struct code_capture_counts {
	uint64_t processes;  /* processes that wrote names */
	uint64_t bytes;      /* bytes that were recorded */
	uint64_t crowded;    /* processes that were not followed: there were too many */
	uint64_t unkept;     /* bytes that the next file could not repeat because of a limit */
	uint64_t unanswered; /* processes whose files did not answer in time */
	struct code_missed missed;
};

/* See code_capture__warning() and code_capture__stamp(). */
bool code_counts__warning(const struct code_capture_counts *counts, char *ret, size_t size);
void code_counts__stamp(const struct code_capture_counts *counts, struct buffer *out);

#endif
