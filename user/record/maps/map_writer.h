/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes records of the kernel side to the file: completes missing identities, converts
 * times to the samples' clock, writes the paths of new cgroups, and counts.
 */
#ifndef PERFSTAMP_RECORD_MAP_WRITER_H
#define PERFSTAMP_RECORD_MAP_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "perfstamp/record.h"
#include "user/base/error.h"
#include "user/event/event.h"
#include "user/parse/event/record_scan.h"
#include "user/perfdata/write/writer.h"
#include "user/perfdata/write/tally.h"
#include "user/source/machine/clock.h"

/* Limit of processes with missed mappings that are read at once. */
#define MAP_WRITER_MISSED_MAX 16

struct cgroup_paths;
struct completer;
struct process_homes;
struct ksymbols;
struct stream;
struct living;
struct dso_capture;
struct code_capture;

/* What the writer uses. The caller owns it, and it must be valid as long as the writer. */
struct map_writer_parts {
	struct perfdata_writer *writer; /* NULL: records go to .stream */
	struct stream *stream;          /* NULL: records go to .writer */
	struct tally *tally;
	const struct clock_conversion *clock;
	struct completer *completer;        /* NULL: nothing is completed in user space */
	const struct cgroup_paths *cgroups; /* NULL if cgroup2 is not mounted */
	/* cgroup and mount namespace of processes, if records lack them; or NULL */
	struct process_homes *homes;
	size_t attr_index;           /* the attribute whose id is in the trailers */
	struct dso_capture *capture; /* notified of all mappings; or NULL */
	struct code_capture *code;   /* notified of all mappings; or NULL */
	bool no_first_maps;          /* the snapshot at startup omits mappings */
};

enum map_writer_phase {
	MAP_WRITER_LIVE,
	/*
	 * The snapshot at startup: its records have time 0, because they describe the state before
	 * the first sample. It includes threads.
	 */
	MAP_WRITER_STARTING,
	/*
	 * A later snapshot, after a loss of tasks: its records have their own times. It includes
	 * names.
	 */
	MAP_WRITER_HEALING_TASKS,
};

struct map_writer;

/* Returns 0 or -ENOMEM. */
int map_writer__new(struct map_writer **ret, const struct map_writer_parts *parts);
void map_writer__free(struct map_writer *writer);

void map_writer__set_phase(struct map_writer *writer, enum map_writer_phase phase);
enum map_writer_phase map_writer__phase(const struct map_writer *writer);

/* From now on, @living (or NULL) gets all written events, except modules. */
void map_writer__set_living(struct map_writer *writer, struct living *living);
/* Kernel symbols that are written are also passed to @symbols; or NULL. */
void map_writer__set_symbols(struct map_writer *writer, struct ksymbols *symbols);
/* From now on writes to @file, which already has the state at the end of the previous file. */
void map_writer__set_file(struct map_writer *writer, struct perfdata_writer *file);

/* Converts @monotonic_ns to the samples' clock. */
uint64_t map_writer__time(const struct map_writer *writer, uint64_t monotonic_ns);

/* The error text of the failed call, also for callers that write through it. */
struct error *map_writer__error(struct map_writer *writer);
/* Copies that text; if there is none, makes one from @code and @what. Returns @code. */
int map_writer__explain(
	const struct map_writer *writer, int code, const char *what, struct error *err);

/* As bpf_record_fn (source/bpf/bpf.h), with a struct map_writer as context. */
int map_writer__record(const struct perfstamp_record *record, void *map_writer);

/* Limits the total time for which map_writer__settle() may wait from now on. */
void map_writer__allow(struct map_writer *writer, int wait_ms);
/*
 * Writes the records that wait for an identity from user space. @last: also waits for the
 * identities of records that were written without one. Returns 0 or -errno.
 */
int map_writer__settle(struct map_writer *writer, bool last, struct error *err);

/*
 * Called after a drain of the ring: writes the records that have waited long enough for their
 * second record; with @last, all of them. Returns the number of records that still wait, or -errno
 * with .error. No round may end while records wait.
 */
int map_writer__write_old(struct map_writer *writer, bool last);

/* Writes the paths of all existing cgroups. Returns 0 or -errno with .error. */
int map_writer__cgroups(struct map_writer *writer);

/*
 * Called before a CGROUP of a perf ring is written: if it is a container's and new, it is written
 * with the container's names. A cgroup that is removed before its mappings are read gets its path
 * only in this way. Returns 0 or -errno.
 */
int map_writer__name_cgroup(
	struct map_writer *writer, const struct record_view *view, struct error *err);

/*
 * Writes a MAP, COMM, FORK or LOST that is already a struct event. A map whose identity is to be
 * completed is written later, by map_writer__settle(). Returns 0 or -errno with .error.
 */
int map_writer__event(struct map_writer *writer, struct event *event);

/* Writes whole records as they were read from a perf ring. Returns 0 or -errno. */
int map_writer__raw(struct map_writer *writer, const void *records, size_t size, struct error *err);
/*
 * Writes an event about kernel modules, or one that .living synthesized, without passing it to
 * .living. Returns 0 or -errno with .error.
 */
int map_writer__unfollowed(struct map_writer *writer, const struct event *event);

/* Writes the feature that perf needs for the paths of the file, at its end. Returns 0 or -errno. */
int map_writer__end_file(struct map_writer *writer, struct error *err);
/* Begins a new file, which repeats cgroups and similar data of the file before. */
void map_writer__begin_file(struct map_writer *writer, struct perfdata_writer *file);

/* Return the number of live records from BPF, and of written events, since the start. */
uint64_t map_writer__n_records(const struct map_writer *writer);
uint64_t map_writer__n_events(const struct map_writer *writer);

/* Returns the pids of processes with missed mappings since the last call, and their number. */
size_t map_writer__take_missed(
	struct map_writer *writer, uint32_t ret_pids[static MAP_WRITER_MISSED_MAX]);
bool map_writer__has_missed(const struct map_writer *writer);
/* Returns how often the kernel side reported such a process. */
uint64_t map_writer__n_missed_seen(const struct map_writer *writer);

/* Returns the number of completions that failed because a device does not answer. */
uint64_t map_writer__n_refused(const struct map_writer *writer);
/* Whether a completion failed because a capability is missing. */
bool map_writer__lacks_permission(const struct map_writer *writer);
/* Returns the number of mappings at paths for which mixed_paths.h has no room. */
uint64_t map_writer__n_untracked(const struct map_writer *writer);

#endif
