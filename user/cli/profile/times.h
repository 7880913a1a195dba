/* SPDX-License-Identifier: GPL-2.0-only */
/* The time spans of report: perf's --time. */
#ifndef PERFSTAMP_CLI_PROFILE_TIMES_H
#define PERFSTAMP_CLI_PROFILE_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"

#define TIME_SPANS_MAX 64

struct time_span {
	bool percent;              /* the bounds are fractions of the samples' time, else ns */
	double from_part, to_part; /* 0 to 1 */
	uint64_t from_ns, to_ns;   /* 0: from the beginning, to the end */
};

struct time_spans {
	struct time_span v[TIME_SPANS_MAX];
	size_t n;
};

/*
 * "START,STOP" in seconds, several of them with spaces between; or "A%-B%", or "A%/N" for the
 * Nth part of A percent, several with commas. False for anything else.
 */
bool time_spans__parse(struct time_spans *ret, const char *text);
/* Whether the time of the first and the last sample has to be known. */
bool time_spans__are_parts(const struct time_spans *spans);
/* Makes the parts of it times in ns. */
void time_spans__place(struct time_spans *spans, uint64_t first_ns, uint64_t last_ns);
/*
 * The same, where there are parts: reads @path for the first and the last sample. Returns
 * 0, or -errno with text.
 */
int time_spans__read_parts(struct time_spans *spans, const char *path, struct error *err);
/* Whether no span was asked for, or @time_ns is in one. */
bool time_spans__have(const struct time_spans *spans, uint64_t time_ns);

/* "100ms", "1s", "5us", "7ns": the ns. False for anything else, and for 0. */
bool time_quantum__parse(uint64_t *ret_ns, const char *text);

#endif
