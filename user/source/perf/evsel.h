/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * evsel: one event of an evlist, open on some CPUs and threads. Inside
 * user/source only; others see evlists (evlist.h).
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

/* The ids of an event on a whole CPU. */
struct evsel_id {
	uint64_t now;  /* the kernel's id */
	uint64_t told; /* its id in the file, or the id of a similar event */
};

struct evsel {
	char *name;
	struct perf_event_attr attr;
	struct event_modifiers modifiers;
	struct cpu_list cpus; /* the only CPUs that have the event; n is 0 for all */
	unsigned int group;   /* events of a group are adjacent; 0: no group */
	char group_name[EVENT_GROUP_NAME_MAX];
	size_t name_end;            /* perf_name.end */
	const struct evsel *leader; /* the event in whose group it is opened; or NULL */
	char *filter;               /* NULL: none */
	struct sample_filter_bpf *filter_bpf;
	int cgroup;    /* file descriptor of the only cgroup that is sampled; -1: all */
	bool sideband; /* the sideband event, which is opened on all CPUs */
	/*
	 * If the event samples tasks but is opened on whole CPUs, the tasks to sample; otherwise
	 * NULL.
	 */
	const struct sample_tree *tree;
	/* The event also brings MMAP3 records; .attr, for files, does not have this. */
	bool mmap3;
	size_t n_cpus; /* of the target */
	size_t n_tids;
	int *fds; /* [cpu][tid], -1 where not open */
	uint64_t *ids;
	size_t n_ids;
	struct evsel_id *ids_now; /* [cpu], if some were opened later; NULL: .ids */
	uint64_t lost;            /* losses of descriptors that are closed */
};

/* Takes ownership of the contents of @name. */
void evsel__init(struct evsel *evsel, struct perf_name *name);
void evsel__free(struct evsel *evsel);

/*
 * Opens it on all CPUs and threads of @target. @gone[tid] is read, and set for threads that do not
 * exist any more. Until the first success, removes from the event what this kernel or the user's
 * rights do not allow, with a note each.
 */
int evsel__open(struct evsel *evsel, const struct perf_target *target, bool *gone,
	struct perf_notes *notes, struct error *err);
/* Returns @attr, which is or will be @evsel's, in the form that is passed to the kernel. */
struct perf_event_attr evsel__opened_attr(
	const struct evsel *evsel, const struct perf_event_attr *attr);
int evsel__fd(const struct evsel *evsel, size_t cpu, size_t tid);
/* Whether it should be open on the target's CPU @c. */
bool evsel__is_for(const struct evsel *evsel, const struct perf_target *target, size_t c);
/* Calls ioctl @request on all open descriptors. Returns 0 or the first -errno. */
int evsel__ioctl(const struct evsel *evsel, unsigned long request);
/*
 * Adds the number of its records that found the ring full. Returns 0, or -EOPNOTSUPP before Linux
 * 6.0.
 */
int evsel__lost(const struct evsel *evsel, uint64_t *ret);
/*
 * For the enabled sideband event: whether the kernel has removed it from the target's CPU @cpu,
 * which was off-line meanwhile. Nothing else shows this: the CPU may be back already.
 */
bool evsel__is_taken(const struct evsel *evsel, size_t cpu);
/*
 * For an event of whole CPUs: makes room for @n_cpus CPUs of the target, which had as many or fewer
 * before. Returns 0 or -ENOMEM.
 */
int evsel__grow(struct evsel *evsel, size_t n_cpus);
/*
 * Opens the event again, or for the first time, on the target's CPU @c, for which there is room.
 * @leader is the descriptor of its group's leader there, or -1. The event is disabled. Returns the
 * descriptor, which the caller closes, or -errno with text, except for -ENODEV.
 */
int evsel__open_later(struct evsel *evsel, const struct perf_target *target, size_t c, int leader,
	struct error *err);
/*
 * Puts @fd in place of the descriptor that is open there, and returns that one for the caller to
 * close, or -1.
 */
int evsel__replace(struct evsel *evsel, size_t c, int fd);
/* The id that was announced for the event there. */
uint64_t evsel__announced_id(const struct evsel *evsel, size_t c);
/* Closes what is open, so that it can be opened again. */
void evsel__close(struct evsel *evsel);
/*
 * Applies the event's filter, if it has one, to all open descriptors. Returns 0 or -errno with
 * text.
 */
int evsel__apply_filter(struct evsel *evsel, struct error *err);

#endif
