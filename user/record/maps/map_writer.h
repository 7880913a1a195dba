/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Takes records of the kernel side to the file: completes what could not be
 * read there, brings their time to the samples' clock, names cgroups that were
 * not seen before, and counts.
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
#include "user/record/maps/held_maps.h"
#include "user/perfdata/write/mixed_paths.h"
#include "user/record/maps/pending.h"
#include "user/perfdata/write/tally.h"
#include "user/source/machine/clock.h"

/* Processes of which mappings were missed, and which are looked at at once. */
#define MAP_WRITER_MISSED_MAX 16

struct cgroup_paths;
struct process_homes;
struct ksymbols;
struct stream;
struct living;
struct dso_capture;
struct code_capture;

struct map_writer {
	struct perfdata_writer *writer; /* NULL: it goes to .stream */
	struct stream *stream;          /* NULL: it goes to .writer */
	struct tally *tally;
	const struct clock_conversion *clock;
	const struct cgroup_paths *cgroups; /* NULL where cgroup2 is not mounted */
	struct process_homes *homes;        /* of who maps, where records do not tell; or NULL */
	size_t attr_index;                  /* whose id the trailers carry */
	/*
	 * The start-up snapshot: its records have time 0, since what they tell
	 * was so before the first sample, and threads are told, too. A later
	 * snapshot heals a loss: its records have their own time.
	 */
	bool starting;
	struct dso_capture *capture; /* is told of all that is mapped; or NULL */
	struct code_capture *code;   /* is told of all mappings; or NULL */
	struct living *living;       /* is told of all that is written, but modules; or NULL */
	bool no_first_maps;          /* the start-up snapshot is without them */
	bool telling_threads;        /* later, too: their names */
	uint64_t records;            /* that BPF told live */
	uint64_t events;             /* that were written */
	uint32_t missed[MAP_WRITER_MISSED_MAX]; /* pids, since the last look at them */
	size_t n_missed;
	uint64_t missed_seen;           /* how often the kernel side has named one of them */
	struct held_maps *held;         /* NULL: nothing is completed in user space */
	struct perfstamp_identity vdso; /* that of most processes, once it was read */
	struct pending_maps pending;
	struct mixed_paths mixed;  /* of .writer's file */
	struct ksymbols *ksymbols; /* what is written of kernel symbols goes there, too; or NULL */
	bool no_permission;        /* a completion was refused for want of a capability */
	uint64_t refused;          /* completions: what they would be read from does not answer */
	struct error error;        /* of the call that failed */
};

/* As bpf_record_fn (source/bpf/bpf.h), with a struct map_writer as context. */
int map_writer__record(const struct perfstamp_record *record, void *map_writer);

/* As held_map_fn (held_maps.h), with a struct map_writer as context. */
int map_writer__held(void *map_writer, struct event *event, enum held_outcome outcome,
	const struct perfstamp_identity *before, int code);

/*
 * When the kernel side's records have been taken: writes those that have waited for
 * their second half for long enough, or, if @last, all that wait. Returns how many wait
 * still, and no round may end; or -errno with .error.
 */
int map_writer__write_old(struct map_writer *writer, bool last);

/* Frees what waits; the struct stays the caller's. */
void map_writer__free(struct map_writer *writer);

/* The paths of all cgroups that there are. 0 or -errno with .error. */
int map_writer__cgroups(struct map_writer *writer);

/*
 * A CGROUP of a perf ring, before it is written: if a container's cgroup is new, it is recorded
 * with the container's names. One that ends before its mappings are taken has its path from
 * there alone. 0 or -errno.
 */
int map_writer__name_cgroup(
	struct map_writer *writer, const struct record_view *view, struct error *err);

/*
 * A MAP, COMM, FORK or LOST that is an event already. A map whose identity is to
 * be completed is written later: by held_maps__settle. 0 or -errno with .error.
 */
int map_writer__event(struct map_writer *writer, struct event *event);

/* Whole records as they came out of a perf ring. 0 or -errno. */
int map_writer__raw(struct map_writer *writer, const void *records, size_t size, struct error *err);
/*
 * An event about kernel modules, or one that .living told: .living is not to hear of
 * it. 0 or -errno with .error.
 */
int map_writer__untold(struct map_writer *writer, const struct event *event);

/* A feature of the file, before its end: what perf is to know of its paths. 0 or -errno. */
int map_writer__end_file(struct map_writer *writer, struct error *err);
/* A new file begins: what the one before was told, this one is to be told again. */
void map_writer__begin_file(struct map_writer *writer, struct perfdata_writer *file);

#endif
