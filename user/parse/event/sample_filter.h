/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text of --filter for events that are no tracepoints: which samples are
 * kept. The grammar is perf's (tools/perf/Documentation/perf-record.txt, "bpf
 * filter"): terms with a comma or && between them, all of which must hold, and
 * || between those of which one must. Beyond perf's terms there is comm. Knows
 * no machine: what a cgroup's path means is found elsewhere.
 */
#ifndef PERFSTAMP_PARSE_SAMPLE_FILTER_H
#define PERFSTAMP_PARSE_SAMPLE_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"

#define SAMPLE_FILTER_TERMS 16
#define SAMPLE_FILTER_COMM 16 /* TASK_COMM_LEN */

enum sample_filter_field {
	SAMPLE_FILTER_IP,
	SAMPLE_FILTER_PID,
	SAMPLE_FILTER_TID,
	SAMPLE_FILTER_CPU,
	SAMPLE_FILTER_TIME, /* ns of CLOCK_MONOTONIC */
	SAMPLE_FILTER_ADDR,
	SAMPLE_FILTER_PERIOD,
	SAMPLE_FILTER_UID,
	SAMPLE_FILTER_GID,
	SAMPLE_FILTER_CGROUP,
	SAMPLE_FILTER_COMM_NAME,
};

enum sample_filter_op {
	SAMPLE_FILTER_EQ,
	SAMPLE_FILTER_NE,
	SAMPLE_FILTER_GT,
	SAMPLE_FILTER_GE,
	SAMPLE_FILTER_LT,
	SAMPLE_FILTER_LE,
	SAMPLE_FILTER_AND, /* a bit is set in both */
};

struct sample_filter_term {
	enum sample_filter_field field;
	enum sample_filter_op op;
	bool or_next; /* it, or the next one */
	uint64_t value;
	char *path;                    /* CGROUP: to become the value; else NULL */
	char comm[SAMPLE_FILTER_COMM]; /* COMM_NAME */
	uint8_t comm_len;
	bool is_prefix; /* comm == nginx*: any that begins so */
};

struct sample_filter {
	struct sample_filter_term terms[SAMPLE_FILTER_TERMS];
	size_t n;
};

/*
 * Understands @text. @sample_type are the PERF_SAMPLE_* that the samples carry:
 * as in perf, a term needs what it is about to be in the sample. Returns 0;
 * -EINVAL with text; -ENOMEM. @ret is to be freed in any case.
 */
int sample_filter__parse(
	struct sample_filter *ret, const char *text, uint64_t sample_type, struct error *err);
void sample_filter__free(struct sample_filter *filter);
/* Whether a term is about process or thread numbers. */
bool sample_filter__has_pids(const struct sample_filter *filter);

#endif
