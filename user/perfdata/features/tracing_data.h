/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The TRACING_DATA feature: the formats of the tracepoints that were recorded,
 * without which the fields of their samples are not known. Pure. The layout
 * is that of trace.dat 0.6, as tools/perf/util/trace-event-info.c of Linux
 * writes it and trace-event-read.c reads it.
 */
#ifndef PERFSTAMP_PERFDATA_TRACING_DATA_H
#define PERFSTAMP_PERFDATA_TRACING_DATA_H

#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"

struct tracing_event {
	const char *system; /* "sched" */
	const char *format; /* the content of its file `format' */
};

/* All texts as tracefs shows them; NULL is as good as empty. */
struct tracing_data {
	const char *header_page;
	const char *header_event;
	const char *printk_formats;
	const char *saved_cmdlines;
	const struct tracing_event *events; /* those of one system side by side */
	size_t n_events;
	uint32_t page_size; /* bytes */
};

/* Appends the feature's bytes. Returns 0 or the buffer's error. */
int tracing_data__encode(struct buffer *out, const struct tracing_data *data);

#endif
