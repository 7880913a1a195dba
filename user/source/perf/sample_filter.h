/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A BPF program that runs when an event overflows and drops samples before they take space
 * in a ring: for --filter on events other than tracepoints, and for events on whole CPUs
 * that sample a tree of processes. Inside user/source only; others see evlists.
 */
#ifndef PERFSTAMP_SOURCE_SAMPLE_FILTER_H
#define PERFSTAMP_SOURCE_SAMPLE_FILTER_H

#include <stdint.h>

#include "user/base/error.h"

struct sample_filter_bpf;

/* Descriptors of a tree's tables (bpf/tree.h), which the tree owns. */
struct sample_tree {
	int pids_fd;
	int tids_fd;
	int notes_fd;
	int counters_fd;
};

/*
 * Loads a program that keeps a sample if @text is true for it (NULL: always) and its task is in
 * @tree (NULL: any task). @sample_type is the event's. Returns 0, or -EINVAL, -EPERM, -ENOENT (no
 * such cgroup) or another -errno with text.
 */
int sample_filter__load(struct sample_filter_bpf **ret, const char *text, uint64_t sample_type,
	const struct sample_tree *tree, struct error *err);
void sample_filter__unload(struct sample_filter_bpf *filter);
/* For PERF_EVENT_IOC_SET_BPF. It also filters the events that children inherit. */
int sample_filter__fd(const struct sample_filter_bpf *filter);

#endif
