/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * evlist: the perf events of one recording, from the text of -e to rings that fill. There is one
 * ring per CPU, which the sampled events and one sideband event share. The sideband event is a
 * software dummy that carries COMM, FORK, EXIT and the like. The life cycle: new, open, mmap,
 * enable_sideband, then what else must be ready before the first sample, then enable; disable;
 * free.
 *
 * Prints nothing: deviations from the options are reported as notes. Does not know files and BPF.
 */
#ifndef PERFSTAMP_SOURCE_PERF_EVLIST_H
#define PERFSTAMP_SOURCE_PERF_EVLIST_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "user/base/error.h"
#include "user/source/perf/cpu_change.h"
#include "user/source/perf/options.h"
#include "user/source/perf/ring.h"

struct evlist;
struct event_decoder;

/* Defaults: everything off, CLOCK_MONOTONIC. */
void evlist_options__init(struct evlist_options *options);

/*
 * Parses the events and finds the threads and CPUs; opens nothing. @options and the data that it
 * points to may be freed after it. Returns 0; -EINVAL for options and names; -ESRCH if there is no
 * such process; -ENODEV for a CPU that is off-line; -ENOMEM.
 */
int evlist__new(struct evlist **ret, const struct evlist_options *options, struct error *err);
void evlist__free(struct evlist *evlist);

/*
 * Opens all events, disabled. A thread that exits meanwhile is skipped. Removes from the events
 * what this kernel does not know (see the notes). Returns 0 or -errno from perf_event_open, with
 * what to do about it in @err.
 */
int evlist__open(struct evlist *evlist, struct error *err);
/* Maps one ring per CPU. -EPERM: over the mlock limit; @err says which sizes are allowed. */
int evlist__mmap(struct evlist *evlist, struct error *err);

int evlist__enable_sideband(struct evlist *evlist, struct error *err);
/* Begins sampling. Does nothing for a workload, whose sampling begins at its exec. */
int evlist__enable(struct evlist *evlist, struct error *err);
/* Turns sampling on or off, for a workload even before its exec; the sideband continues. */
int evlist__resume(struct evlist *evlist, struct error *err);
void evlist__pause(struct evlist *evlist);
/* Disables all events; the rings can still be read. */
void evlist__disable(struct evlist *evlist);

/*
 * The sampled events in the order of -e, then the sideband event, which is last. The attributes are
 * those to write to a file: they do not have MMAP3.
 */
size_t evlist__n_attrs(const struct evlist *evlist);
const struct perf_event_attr *evlist__attr(const struct evlist *evlist, size_t i);
/*
 * Whether a file has only one event, which has the ids of the sampled event and of the sideband
 * event. This is so if one event is sampled, and its records end like those of the sideband event,
 * so that no record needs PERF_SAMPLE_IDENTIFIER.
 */
bool evlist__is_single(const struct evlist *evlist);
/* The attribute of that event: the sampled event's, with the records of the sideband event. */
struct perf_event_attr evlist__single_attr(const struct evlist *evlist);
const char *evlist__name(const struct evlist *evlist, size_t i);
/*
 * Makes the decoder of the records in the rings, after the events are open. Returns 0 or -ENOMEM.
 */
int evlist__decoder(const struct evlist *evlist, struct event_decoder **ret);
/* The kernel's ids of the event's file descriptors, as in records. After open. */
const uint64_t *evlist__ids(const struct evlist *evlist, size_t i, size_t *ret_n);

/*
 * Checks for CPUs that went off-line or came on-line, and checks one of the others, in turn, for
 * having been off-line meanwhile. With @resumed, checks all of them: the machine was suspended,
 * which takes CPUs off-line while no process runs. @now_ns (monotonic) is when the check began, and
 * stays the same until 0 is returned. Returns 1 with a change in *@ret; 0 if there are no more;
 * -errno with a CPU in *@ret that is back or new, and in @err the reason why it is not recorded.
 */
int evlist__look_at_cpus(struct evlist *evlist, uint64_t now_ns, bool resumed,
	struct evlist_cpu_change *ret, struct error *err);

size_t evlist__n_rings(const struct evlist *evlist);
struct perf_ring *evlist__ring(const struct evlist *evlist, size_t i);

/* Whether the tree of evlist_options is sampled by events on whole CPUs. After open. */
bool evlist__samples_tree(const struct evlist *evlist);
/*
 * The CPU time that the recorded tasks used while they should have been sampled, and the CPU time
 * that each sample stands for, in ns. False if they are not known, or if no samples are missed.
 */
bool evlist__cpu_time(const struct evlist *evlist, uint64_t *ret_used, uint64_t *ret_of_sample);

/* The recorded threads; n is 0 if all threads are recorded. */
const pid_t *evlist__tids(const struct evlist *evlist, size_t *ret_n);
/*
 * Whether all recorded threads, and the tasks that inherited their events, have exited. Always
 * false with whole CPUs. It polls, which consumes a pending wake-up: call it right before reading
 * the rings.
 */
bool evlist__targets_gone(const struct evlist *evlist);
/*
 * Records of event @i that found its ring full, since it was opened, whether or
 * not a LOST record could report it. Returns 0 or -EOPNOTSUPP before Linux 6.0.
 */
int evlist__lost(const struct evlist *evlist, size_t i, uint64_t *ret);

/* A group: events @first to @first + @n - 1; @first is the leader. */
struct evlist_group {
	const char *name; /* empty: it has none */
	size_t first;
	size_t n;
};

/*
 * The groups of more than one event, in order, up to @max of them. Returns how
 * many there are.
 */
size_t evlist__groups(const struct evlist *evlist, struct evlist_group *ret, size_t max);
/* Whether the rings have MMAP2 records of mappings that are not executable, as for unwinding. */
bool evlist__has_data_maps(const struct evlist *evlist);

/* Sentences about deviations from the options: fallbacks, missing features. */
size_t evlist__n_notes(const struct evlist *evlist);
const char *evlist__note(const struct evlist *evlist, size_t i);

#endif
