/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the times of the first and the last sample, for the SAMPLE_TIME feature, and counts the
 * samples, while records pass through the writer. Pure.
 */
#ifndef PERFSTAMP_PERFDATA_SAMPLE_SPAN_H
#define PERFSTAMP_PERFDATA_SAMPLE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sample_span {
	size_t time_at; /* offset of the time in a sample; 0: there is none, or events differ */
	bool differs;
	uint64_t first_ns;
	uint64_t last_ns; /* 0: there is no sample yet */
	uint64_t n;       /* number of samples */
};

/* Called with the sample_type of each event, before any record. */
void sample_span__add_type(struct sample_span *span, uint64_t sample_type);
/* Reads whole records; -EINVAL if they are incomplete. */
int sample_span__add(struct sample_span *span, const void *records, size_t size);
bool sample_span__get(const struct sample_span *span, uint64_t *ret_first, uint64_t *ret_last);

#endif
