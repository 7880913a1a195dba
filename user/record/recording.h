/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One recording, shared by the source files that prepare it (prepare.c, open_sources.c), run it
 * (recorder.c, existing.c, cpus.c) and divide it into files (files/rotation.h); no other file
 * includes this. It exists across the recording's files. The rotation knows the current file and
 * its contents; this does not know the rotation.
 */
#ifndef PERFSTAMP_RECORD_RECORDING_H
#define PERFSTAMP_RECORD_RECORDING_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "user/perfdata/write/writer.h"
#include "user/record/maps/map_writer.h"
#include "user/record/kernel/module_writer.h"
#include "user/record/maps/native.h"
#include "user/record/files/output.h"
#include "user/record/options.h"
#include "user/record/rounds/rounds.h"
#include "user/record/state/cpu_time.h"
#include "user/perfdata/write/tally.h"
#include "user/record/summary.h"
#include "user/source/machine/clock.h"
#include "user/source/containers/process_home.h"

struct rotation;
struct tail;
struct completer;

struct recorder {
	const struct recorder_options *options;
	struct evlist_options events; /* including the workload's pid */
	struct workload *workload;
	struct task_tree *tree; /* NULL: the machine is recorded, or following is impossible */
	pid_t *user_pids;       /* pids of .events, if they were listed again; or NULL */
	struct bpf_source *bpf; /* NULL on the rungs MMAP3 and MMAP2 */
	struct error no_tree;   /* why there is no .tree */
	struct rung_attempt attempts[RUNG_COUNT];
	struct evlist *evlist;
	struct perfdata_writer *writer; /* NULL: records go to .stream */
	struct stream *stream;          /* NULL: records go to .writer */
	struct output output;
	struct counters counters; /* counters of the current file; see recorder__sums */
	struct tally tally;
	struct cpu_time cpu_time;
	struct kernel_record *kernel;
	struct kernel_symbols *symbols; /* NULL: all were written, or there are none */
	bool holds_types; /* the kernel's types are kept for BPF programs that are loaded later */
	struct control *control; /* NULL: none */
	struct clock_conversion clock;
	struct cgroup_paths *cgroups;
	struct process_homes homes;
	struct map_writer *maps;
	struct completer *completer;
	struct dso_capture *capture;   /* NULL: nothing is captured */
	struct code_capture *code;     /* NULL: no file is written */
	struct module_writer *modules; /* NULL: the kernel is not sampled */
	/* NULL: the kernel is not sampled, or programs are skipped */
	struct bpf_record *programs;
	struct symbols_again *symbols_again; /* NULL: the kernel is not sampled */
	struct native_records native;
	struct rounds *rounds;
	struct living *living;     /* NULL: no file follows this one */
	struct rotation *rotation; /* NULL: no file follows this one, and the file keeps its name */
	struct tail *tail; /* tasks that existed before, if they are recorded at the end; or NULL */
	uint64_t start_ns; /* delays count from this, monotonic */
	/* when sampling begins, monotonic; 0: it has begun, or never will */
	uint64_t enable_ns;
	uint64_t pause_ns;       /* when it is paused or resumed next; 0: never */
	size_t n_paused;         /* number of pauses and resumptions so far */
	uint64_t cpus_looked_ns; /* when the CPUs were last checked, monotonic */
	/* time since boot at that check; shows whether the machine was suspended */
	uint64_t slept_ns;
	int signal_fd;
	int clock_fd; /* clock__watch(); -1 without BPF programs, which require it */
	int epoll_fd;
	bool guarded; /* or the kernel does not support it */
	bool stopping;
	char why[64];      /* why the recording stops */
	bool not_executed; /* the workload could not be executed, and nothing was recorded */
	int workload_status;
	sigset_t old_signals;
};

/*
 * Opens BPF programs and perf events: .tree, .bpf, .cpu_time and .evlist. The workload, the helper
 * processes and .capture exist already. Returns 0 or -errno.
 */
int recorder__open_sources(struct recorder *recorder, struct error *err);

/*
 * Records the state that exists before the first sample, or remembers it for --tail-synthesize.
 * Returns 0 or -errno.
 */
int recorder__record_existing(struct recorder *recorder, struct error *err);
/*
 * The same at the end, with time 0: readers apply these records at once, and sort the others later,
 * because the file has no rounds. A workload needs no record, because its start was observed.
 */
int recorder__record_existing_at_end(struct recorder *recorder, struct error *err);

/*
 * Writes the features and the end of @writer's file, whose contents @summary describes.
 * Returns 0 or -errno.
 */
int recorder__finish_file(struct recorder *recorder, struct perfdata_writer *writer,
	const struct recorder_summary *summary, struct error *err);
/* The sums of the recording, but with the mappings of the current file. */
void recorder__sums(const struct recorder *recorder, struct recorder_summary *ret);

/*
 * Called once, when sampling has begun, or will begin only on command: drops what only an attacker
 * would need, because nothing is loaded or executed after that. Returns 0 or -errno.
 */
int recorder__guard(struct recorder *recorder, struct error *err);

/* Checks once a second which CPUs went off-line or came on-line. */
void recorder__look_for_cpus(struct recorder *recorder);

/*
 * Called after the clock was set back: a file can then get a time again that it had with another
 * content.
 */
void recorder__look_at_clock(struct recorder *recorder);

/* Passes a note to the user, if there is a callback. */
void recorder__note(struct recorder *recorder, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Wakes the recording for @events (EPOLL*) of @fd. Returns 0 or -errno. */
int recorder__watch_fd(struct recorder *recorder, int fd, uint32_t events);

#endif
