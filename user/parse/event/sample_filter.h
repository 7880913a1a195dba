/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The argument of --filter for events that are not tracepoints: which samples are kept. The grammar
 * is perf's (tools/perf/Documentation/perf-record.txt, "bpf filter"): terms separated by a comma or
 * &&, all of which must hold, and || between terms of which one must hold. comm is an addition to
 * perf's terms. Does not know the machine: the caller determines which cgroup a path means.
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
	SAMPLE_FILTER_AND, /* a bit is set in both values */
};

struct sample_filter_term {
	enum sample_filter_field field;
	enum sample_filter_op op;
	bool or_next; /* this term or the next one must hold */
	uint64_t value;
	/* CGROUP: its path, if the caller has to set the value; otherwise NULL */
	char *path;
	char comm[SAMPLE_FILTER_COMM]; /* COMM_NAME */
	uint8_t comm_len;
	bool is_prefix; /* comm == nginx*: any comm with this prefix */
};

struct sample_filter {
	struct sample_filter_term terms[SAMPLE_FILTER_TERMS];
	size_t n;
};

/*
 * Parses @text. @sample_type: the PERF_SAMPLE_* of the samples. As in perf, the samples must have
 * the field that a term compares. Returns 0; -EINVAL with text; -ENOMEM. Free @ret in any case.
 */
int sample_filter__parse(
	struct sample_filter *ret, const char *text, uint64_t sample_type, struct error *err);
void sample_filter__free(struct sample_filter *filter);
/* Whether a term is about process or thread numbers. */
bool sample_filter__has_pids(const struct sample_filter *filter);

#endif
