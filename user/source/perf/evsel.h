/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "evsel": one event of an evlist, open on some CPUs and threads. Inside
 * user/source only; others see evlists (perf_event.h).
 */
#ifndef PERFSTAMP_SOURCE_PERF_EVSEL_H
#define PERFSTAMP_SOURCE_PERF_EVSEL_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/source/events/name.h"
#include "user/source/perf/target.h"
#include "user/source/perf/sample_filter.h"

/* Notes for the user. */
struct perf_notes {
	char **notes;
	size_t n;
};

void perf_notes__add(struct perf_notes *notes, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void perf_notes__free(struct perf_notes *notes);

/* Of a whole CPU's event. */
struct evsel_id {
	uint64_t now;  /* what the kernel calls it */
	uint64_t told; /* its id in the file, or that of an event like it */
};

struct evsel {
	char *name;
	struct perf_event_attr attr;
	struct event_modifiers modifiers;
	struct cpu_list cpus; /* the only ones that have it; n is 0 for all */
	unsigned int group;   /* those of one group are adjacent; 0: none */
	char group_name[EVENT_GROUP_NAME_MAX];
	size_t name_end;            /* perf_name.end */
	const struct evsel *leader; /* another one, in whose group it is opened; or NULL */
	char *filter;               /* NULL: none */
	struct sample_filter_bpf *filter_bpf;
	int cgroup;    /* file descriptor of the only cgroup that is sampled; -1: all */
	bool sideband; /* the sideband event, which is opened on all CPUs */
	/* The tasks that are sampled, though it is opened on whole CPUs; NULL: all of them. */
	const struct sample_tree *tree;
	bool mmap3;    /* it brings MMAP3, too: .attr, which is for files, does not say so */
	size_t n_cpus; /* of the target */
	size_t n_tids;
	int *fds; /* [cpu][tid], -1 where not open */
	uint64_t *ids;
	size_t n_ids;
	struct evsel_id *ids_now; /* [cpu], where some were opened later; NULL: .ids */
	uint64_t lost;            /* of those that were open before */
};

/* Takes what @name holds. */
void evsel__init(struct evsel *evsel, struct perf_name *name);
void evsel__free(struct evsel *evsel);

/*
 * Opens it on all CPUs and threads of @target. @gone[tid] is read and set for
 * threads that do not exist any more. What this kernel or the user's rights do
 * not allow is taken back before the first success, with a note each.
 */
int evsel__open(struct evsel *evsel, const struct perf_target *target, bool *gone,
	struct perf_notes *notes, struct error *err);
/* @attr, which is @evsel's or is to be, as the kernel is given it. */
struct perf_event_attr evsel__opened_attr(
	const struct evsel *evsel, const struct perf_event_attr *attr);
int evsel__fd(const struct evsel *evsel, size_t cpu, size_t tid);
/* It is to be open on the target's CPU @c. */
bool evsel__is_for(const struct evsel *evsel, const struct perf_target *target, size_t c);
/* ioctl @request on all that is open; 0 or the first -errno. */
int evsel__ioctl(const struct evsel *evsel, unsigned long request);
/* Adds how many of its records found the ring full. Returns 0, or -EOPNOTSUPP before Linux 6.0. */
int evsel__lost(const struct evsel *evsel, uint64_t *ret);
/*
 * Of the sideband, while it is enabled: whether the kernel has taken it from the target's
 * CPU @cpu, which was off-line meanwhile. Nothing else shows it: the CPU may be back already.
 */
bool evsel__is_taken(const struct evsel *evsel, size_t cpu);
/*
 * Makes room for what is opened later, on @n_cpus CPUs of the target, which had fewer, or
 * as many, and is of whole CPUs. Returns 0 or -ENOMEM.
 */
int evsel__grow(struct evsel *evsel, size_t n_cpus);
/*
 * Once more, or for the first time, on the target's CPU @c, for which there is room; @leader is
 * that of its group there, or -1. Disabled. The descriptor, which is the caller's, or -errno
 * with text, except for -ENODEV.
 */
int evsel__open_later(struct evsel *evsel, const struct perf_target *target, size_t c, int leader,
	struct error *err);
/*
 * Takes that descriptor in the place of the one that is open there, which is the caller's then,
 * or -1.
 */
int evsel__replace(struct evsel *evsel, size_t c, int fd);
/* The id that was announced for it there. */
uint64_t evsel__announced_id(const struct evsel *evsel, size_t c);
/* Closes what is open, so that it can be opened again. */
void evsel__close(struct evsel *evsel);
/* Makes its filter, if it has one, hold for all that is open. Returns 0 or -errno with text. */
int evsel__apply_filter(struct evsel *evsel, struct error *err);

#endif
