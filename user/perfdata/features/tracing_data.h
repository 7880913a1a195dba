/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The TRACING_DATA feature: the formats of the recorded tracepoints, without which readers cannot
 * decode the fields of their samples. Pure. The layout is that of trace.dat 0.6, as written by
 * tools/perf/util/trace-event-info.c of Linux and read by trace-event-read.c.
 */
#ifndef PERFSTAMP_PERFDATA_TRACING_DATA_H
#define PERFSTAMP_PERFDATA_TRACING_DATA_H

#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"

struct tracing_event {
	const char *system; /* "sched" */
	const char *format; /* content of its file "format" */
};

/* All texts are those of tracefs. NULL counts as empty. */
struct tracing_data {
	const char *header_page;
	const char *header_event;
	const char *printk_formats;
	const char *saved_cmdlines;
	const struct tracing_event *events; /* the events of one system are adjacent */
	size_t n_events;
	uint32_t page_size; /* bytes */
};

/* Appends the feature's bytes. Returns 0 or the buffer's error. */
int tracing_data__encode(struct buffer *out, const struct tracing_data *data);

#endif
