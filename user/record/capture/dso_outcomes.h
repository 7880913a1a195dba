/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What became of the contents that were to be captured, in words and as the lines of a recording
 * (docs/format.md). Knows nothing of queues and processes.
 */
#ifndef PERFSTAMP_RECORD_DSO_OUTCOMES_H
#define PERFSTAMP_RECORD_DSO_OUTCOMES_H

#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"
#include "user/record/capture/dso_copier.h"

struct dso_capture_counts {
	uint64_t n[DSO_OUTCOMES]; /* identities; WAITS and OPENED: not known yet */
	uint64_t bytes;           /* that were copied */
	uint64_t gone;            /* entries of the store that went, for room or by age */
};

/* "captured 41 DSOs (12 MB), 3 there already, 2 missed (…)". */
void dso_counts__describe(const struct dso_capture_counts *counts, char *ret, size_t size);
void dso_counts__stamp(const struct dso_capture_counts *counts, struct buffer *out);
/* The line of one that was missed. */
void dso_outcome__stamp_missed(
	enum dso_outcome outcome, const struct dso_request *request, struct buffer *out);
/*
 * Why @identity was missed, by the lines of a recording, @stamp: a word of them, and in @ret_text
 * what it means. NULL if they do not say.
 */
const char *dso_outcome__why_missed(const void *stamp, size_t size,
	const struct perfstamp_identity *identity, const char **ret_text);

#endif
