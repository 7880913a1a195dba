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

/* What it uses; owned by the caller, and has to live as long. */
struct map_writer_parts {
	struct perfdata_writer *writer; /* NULL: it goes to .stream */
	struct stream *stream;          /* NULL: it goes to .writer */
	struct tally *tally;
	const struct clock_conversion *clock;
	struct completer *completer;        /* NULL: nothing is completed in user space */
	const struct cgroup_paths *cgroups; /* NULL if cgroup2 is not mounted */
	struct process_homes *homes; /* of the mapping process, where records lack it; or NULL */
	size_t attr_index;           /* whose id the trailers carry */
	struct dso_capture *capture; /* is notified of all that is mapped; or NULL */
	struct code_capture *code;   /* is notified of all mappings; or NULL */
	bool no_first_maps;          /* the start-up snapshot is without them */
};

enum map_writer_phase {
	MAP_WRITER_LIVE,
	/*
	 * The start-up snapshot: its records have time 0, since what they describe was so before
	 * the first sample, and it includes threads.
	 */
	MAP_WRITER_STARTING,
	/* A later snapshot, after a loss of tasks: records have its own time, and include names. */
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
/* Kernel symbols that are written are handed to @symbols as well; or NULL. */
void map_writer__set_symbols(struct map_writer *writer, struct ksymbols *symbols);
/* Writes to @file from now on, which already has the state of the file before. */
void map_writer__set_file(struct map_writer *writer, struct perfdata_writer *file);

/* @monotonic_ns in the samples' clock. */
uint64_t map_writer__time(const struct map_writer *writer, uint64_t monotonic_ns);

/* The error text of the failed call, also for callers that write through it. */
struct error *map_writer__error(struct map_writer *writer);
/* Copies that text, or, if there is none, makes one of @code and @what. Returns @code. */
int map_writer__explain(
	const struct map_writer *writer, int code, const char *what, struct error *err);

/* As bpf_record_fn (source/bpf/bpf.h), with a struct map_writer as context. */
int map_writer__record(const struct perfstamp_record *record, void *map_writer);

/* So long may map_writer__settle wait for identities from now on, in all. */
void map_writer__allow(struct map_writer *writer, int wait_ms);
/*
 * Writes the records that wait for an identity from user space. @last: also waits for the
 * identities of records that were written without one. Returns 0 or -errno.
 */
int map_writer__settle(struct map_writer *writer, bool last, struct error *err);

/*
 * Called after a drain of the ring: writes the records that have waited long enough for
 * their second record, or all of them with @last. Returns how many still wait, during which
 * no round may end, or -errno with .error.
 */
int map_writer__write_old(struct map_writer *writer, bool last);

/* The paths of all cgroups that exist. Returns 0 or -errno with .error. */
int map_writer__cgroups(struct map_writer *writer);

/*
 * A CGROUP of a perf ring, before it is written: if a container's cgroup is new, it is
 * recorded with the container's names. One that ends before its mappings are taken has its
 * path from there alone. Returns 0 or -errno.
 */
int map_writer__name_cgroup(
	struct map_writer *writer, const struct record_view *view, struct error *err);

/*
 * A MAP, COMM, FORK or LOST that is an event already. A map whose identity is to be
 * completed is written later: by map_writer__settle. Returns 0 or -errno with .error.
 */
int map_writer__event(struct map_writer *writer, struct event *event);

/* Whole records as they came out of a perf ring. Returns 0 or -errno. */
int map_writer__raw(struct map_writer *writer, const void *records, size_t size, struct error *err);
/*
 * An event about kernel modules, or one that .living synthesized: .living must not get it.
 * Returns 0 or -errno with .error.
 */
int map_writer__unfollowed(struct map_writer *writer, const struct event *event);

/*
 * Writes a feature at the end of the file: what perf has to know about its paths. Returns 0
 * or -errno.
 */
int map_writer__end_file(struct map_writer *writer, struct error *err);
/* Begins a new file, which repeats cgroups and similar data of the file before. */
void map_writer__begin_file(struct map_writer *writer, struct perfdata_writer *file);

/* Records that BPF reported live, and events that were written: ever. */
uint64_t map_writer__n_records(const struct map_writer *writer);
uint64_t map_writer__n_events(const struct map_writer *writer);

/* Returns the pids of processes with missed mappings since the last call, and their number. */
size_t map_writer__take_missed(
	struct map_writer *writer, uint32_t ret_pids[static MAP_WRITER_MISSED_MAX]);
bool map_writer__has_missed(const struct map_writer *writer);
/* How often the kernel side has named one of them. */
uint64_t map_writer__n_missed_seen(const struct map_writer *writer);

/* Number of failed completions because a device does not answer. */
uint64_t map_writer__n_refused(const struct map_writer *writer);
/* A completion was refused because a capability is missing. */
bool map_writer__lacks_permission(const struct map_writer *writer);
/* Mappings at paths that are too many for mixed_paths.h. */
uint64_t map_writer__n_untracked(const struct map_writer *writer);

#endif
