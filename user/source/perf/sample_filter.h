/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --filter on events that are no tracepoints: a BPF program that runs when the
 * event overflows and drops what the filter does not let through, before it
 * takes room in a ring. Inside user/source only; others see evlists.
 */
#ifndef PERFSTAMP_SOURCE_SAMPLE_FILTER_H
#define PERFSTAMP_SOURCE_SAMPLE_FILTER_H

#include <stdint.h>

#include "user/base/error.h"

struct sample_filter_bpf;

/*
 * Loads a program for @text; @sample_type is that of the event. Returns 0, or
 * -EINVAL, -EPERM, -ENOENT (no such cgroup) or another -errno with text.
 */
int sample_filter__load(
	struct sample_filter_bpf **ret, const char *text, uint64_t sample_type, struct error *err);
void sample_filter__unload(struct sample_filter_bpf *filter);
/* To attach by PERF_EVENT_IOC_SET_BPF. What an event's children inherit is filtered, too. */
int sample_filter__fd(const struct sample_filter_bpf *filter);

#endif
