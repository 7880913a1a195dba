/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "evlist": the perf events of one recording, from the text of -e to rings that fill. There
 * is one ring per CPU; the sampled events and one sideband event (a software dummy that
 * carries COMM, FORK, EXIT and the like) share it. The life cycle: new, open, mmap,
 * enable_sideband, then what else must be ready before the first sample, then enable;
 * disable; free.
 *
 * Prints nothing: deviations from the options are reported as notes. Does not know files
 * and BPF.
 */
#ifndef PERFSTAMP_SOURCE_PERF_EVENT_H
#define PERFSTAMP_SOURCE_PERF_EVENT_H

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
 * Parses the events and finds the threads and CPUs; opens nothing. @options and what it
 * points to may go after it. Returns 0; -EINVAL for options and names; -ESRCH if no such
 * process is; -ENODEV for a CPU that is offline; -ENOMEM.
 */
int evlist__new(struct evlist **ret, const struct evlist_options *options, struct error *err);
void evlist__free(struct evlist *evlist);

/*
 * Opens all events, disabled. A thread that exits meanwhile is skipped. Takes back what
 * this kernel does not know (see the notes). Returns 0 or -errno from perf_event_open, with
 * what to do about it in @err.
 */
int evlist__open(struct evlist *evlist, struct error *err);
/* Maps one ring per CPU. -EPERM: over the mlock limit; @err has the sizes that would do. */
int evlist__mmap(struct evlist *evlist, struct error *err);

int evlist__enable_sideband(struct evlist *evlist, struct error *err);
/* Sampling begins; for a workload, at its exec, and this does nothing. */
int evlist__enable(struct evlist *evlist, struct error *err);
/* Sampling, even of a workload before its exec, on and off; the sideband continues. */
int evlist__resume(struct evlist *evlist, struct error *err);
void evlist__pause(struct evlist *evlist);
/* Everything stops; the rings can still be read. */
void evlist__disable(struct evlist *evlist);

/*
 * The sampled events in the order of -e, then the sideband event, which is last. An
 * attribute is what a file is to have: it does not mention MMAP3.
 */
size_t evlist__n_attrs(const struct evlist *evlist);
const struct perf_event_attr *evlist__attr(const struct evlist *evlist, size_t i);
/*
 * Whether a file has one event, with the ids of both: one is sampled, and its records and those
 * of the sideband event end alike, so that none needs PERF_SAMPLE_IDENTIFIER.
 */
bool evlist__is_single(const struct evlist *evlist);
/* That one's attribute: what is sampled, with the records that the sideband event has. */
struct perf_event_attr evlist__single_attr(const struct evlist *evlist);
const char *evlist__name(const struct evlist *evlist, size_t i);
/* The decoder of what comes out of the rings, for events that are open. Returns 0 or -ENOMEM. */
int evlist__decoder(const struct evlist *evlist, struct event_decoder **ret);
/* What the kernel calls the event's file descriptors, as records do. After open. */
const uint64_t *evlist__ids(const struct evlist *evlist, size_t i, size_t *ret_n);

/*
 * Checks for CPUs that went off-line or came on-line, and checks one of the others, in
 * turn, for having been off-line meanwhile. Checks all of them with @resumed: the machine
 * was suspended, which takes CPUs off-line while no process runs. @now_ns (monotonic) is
 * when the check began, and stays the same until 0 is returned. Returns 1 with a change in
 * *@ret; 0: no more; -errno: *@ret has a CPU that is back or new, and @err the reason why
 * it is not recorded.
 */
int evlist__look_at_cpus(struct evlist *evlist, uint64_t now_ns, bool resumed,
	struct evlist_cpu_change *ret, struct error *err);

size_t evlist__n_rings(const struct evlist *evlist);
struct perf_ring *evlist__ring(const struct evlist *evlist, size_t i);

/* Whether events sample the tree of evlist_options through whole CPUs. After open. */
bool evlist__samples_tree(const struct evlist *evlist);
/*
 * The CPU time that the recorded tasks used while they were to be sampled, and that each
 * sample stands for, in ns. False if it is not known, or where nothing is under-sampled.
 */
bool evlist__cpu_time(const struct evlist *evlist, uint64_t *ret_used, uint64_t *ret_of_sample);

/* The threads that are recorded; n is 0 when it is all of them. */
const pid_t *evlist__tids(const struct evlist *evlist, size_t *ret_n);
/*
 * All recorded threads, and what inherited from them, have exited. Never so
 * with whole CPUs. It polls, which takes back a wake-up that is pending: ask
 * right before reading the rings.
 */
bool evlist__targets_gone(const struct evlist *evlist);
/*
 * Records of event @i that found its ring full, since it was opened, whether or
 * not a LOST record could report it. Returns 0 or -EOPNOTSUPP before Linux 6.0.
 */
int evlist__lost(const struct evlist *evlist, size_t i, uint64_t *ret);

/* A group: events @first to @first + @n - 1, the first of which leads. */
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
/* Whether the rings have MMAP2 of what is not executable, as for unwinding. */
bool evlist__has_data_maps(const struct evlist *evlist);

/* Sentences on what is done otherwise than asked: fallbacks, missing features. */
size_t evlist__n_notes(const struct evlist *evlist);
const char *evlist__note(const struct evlist *evlist, size_t i);

#endif
