/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The outcomes of capturing, in words and as the lines of a recording (docs/format.md). Does not
 * know queues or processes.
 */
#ifndef PERFSTAMP_RECORD_DSO_OUTCOMES_H
#define PERFSTAMP_RECORD_DSO_OUTCOMES_H

#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"
#include "user/record/capture/dso_copier.h"

struct dso_capture_counts {
	uint64_t n[DSO_OUTCOMES]; /* identities; WAITS and OPENED: no outcome yet */
	uint64_t bytes;           /* bytes of copies */
	uint64_t gone;            /* entries removed from the store for space or by age */
};

/* "captured 41 DSOs (12 MB), 3 there already, 2 missed (…)". */
void dso_counts__describe(const struct dso_capture_counts *counts, char *ret, size_t size);
void dso_counts__stamp(const struct dso_capture_counts *counts, struct buffer *out);
/* Appends the line of a missed identity. */
void dso_outcome__stamp_missed(
	enum dso_outcome outcome, const struct dso_request *request, struct buffer *out);
/*
 * Finds the reason why @identity was missed in @stamp, the lines of a recording. Returns the word,
 * and its meaning in @ret_text. Returns NULL if the lines do not have it.
 */
const char *dso_outcome__why_missed(const void *stamp, size_t size,
	const struct perfstamp_identity *identity, const char **ret_text);

#endif
