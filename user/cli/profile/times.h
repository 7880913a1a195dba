/* SPDX-License-Identifier: GPL-2.0-only */
/* The time spans of report (perf's --time). */
#ifndef PERFSTAMP_CLI_PROFILE_TIMES_H
#define PERFSTAMP_CLI_PROFILE_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"

#define TIME_SPANS_MAX 64

struct time_span {
	bool percent;              /* bounds are fractions of the samples' time, not ns */
	double from_part, to_part; /* 0 to 1 */
	uint64_t from_ns, to_ns;   /* 0: from the begin, or to the end */
};

struct time_spans {
	struct time_span v[TIME_SPANS_MAX];
	size_t n;
};

/*
 * Parses "START,STOP" in seconds, with spaces between several spans; or "A%-B%", or "A%/N" for part
 * N with A percent, with commas between several spans. Returns false for other texts.
 */
bool time_spans__parse(struct time_spans *ret, const char *text);
/* Whether the spans are fractions, which require the times of the first and the last sample. */
bool time_spans__are_parts(const struct time_spans *spans);
/* Converts fractions to times in ns. */
void time_spans__place(struct time_spans *spans, uint64_t first_ns, uint64_t last_ns);
/*
 * The same, but reads @path for the first and the last sample if there are fractions. Returns 0, or
 * -errno with text.
 */
int time_spans__read_parts(struct time_spans *spans, const char *path, struct error *err);
/* Whether @time_ns is in a span, or there are no spans. */
bool time_spans__have(const struct time_spans *spans, uint64_t time_ns);

/* Parses "100ms", "1s", "5us" or "7ns". Returns false for other texts and for 0. */
bool time_quantum__parse(uint64_t *ret_ns, const char *text);

#endif
