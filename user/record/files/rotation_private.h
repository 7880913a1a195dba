/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by rotation.c and rotation_held.c; no other file includes it. */
#ifndef PERFSTAMP_RECORD_ROTATION_PRIVATE_H
#define PERFSTAMP_RECORD_ROTATION_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include "user/record/state/living.h"
#include "user/record/recording.h"
#include "user/record/files/series.h"

struct held;

struct rotation {
	struct recorder *recorder;
	const struct recorder_options *options;
	struct series *series;
	bool asked;
	/* since when a switch has been due, monotonic; 0: it is not due */
	uint64_t due_ns;
	uint64_t begun_ns;         /* when the file was begun, monotonic */
	uint64_t begun_size;       /* bytes of its initial state */
	struct recorder_file file; /* the current file */
	struct counters base;      /* counters of the recording when the file began */
	enum alive_part left_out;  /* the part to omit next if memory is short */
	bool failed;               /* the output failed in a switch */
	bool without;              /* there is no file: records are dropped */
	uint64_t tried_ns;         /* last attempt to begin a file, monotonic */
	uint64_t without_samples;  /* samples of the recording that come before .without */
	uint64_t no_file;          /* samples of earlier times .without */
	bool between;              /* a file is complete, and the next one has not begun */
	bool partial;              /* the writer is that of the next one */
	bool memory_reported;      /* a note has reported that nothing more can be omitted */
	uint64_t memory_looked_ns; /* monotonic */
	struct counters repeated;  /* counters of the records that the file repeats at its start */
	struct counters files;     /* counters of the complete files, without repeated records */
	uint64_t n_files;          /* number of complete files */
	uint64_t n_removed;        /* of these, removed */
	struct held *held;         /* with --overwrite: see rotation_held.c; otherwise NULL */
};

/*
 * Writes the header features of what @writer has written, and ends its file. Returns 0 or
 * -errno.
 */
int rotation__finish_file(
	const struct rotation *rotation, struct perfdata_writer *writer, struct error *err);
/* Whether the program with this id is loaded now; @living is the recorder's. */
bool rotation__is_loaded(const void *living, uint32_t id);
/* Writes the state at @cut_ns to the current file. Returns 0 or -errno. */
int rotation__write_alive(struct recorder *recorder, uint64_t cut_ns, struct error *err);
/*
 * Called after a file is complete: removes old files, and cgroups that no longer exist from
 * memory.
 */
void rotation__tidy(struct rotation *rotation);
void rotation__forget_cgroups(struct recorder *recorder);

/*
 * For --overwrite: from the start, records are written to memory. Each returns 0 or -errno.
 * rotation_held__run() reports a file that cannot be written, and returns 0 for it.
 */
int rotation_held__new(struct rotation *rotation, struct error *err);
void rotation_held__free(struct held *held);
bool rotation_held__is_due(const struct rotation *rotation, uint64_t now_ns);
void rotation_held__trim(struct rotation *rotation);
int rotation_held__run(struct rotation *rotation, bool asked, struct error *err);
void rotation_held__file_summary(const struct rotation *rotation, struct recorder_summary *sums);
void rotation_held__add_files(const struct rotation *rotation, struct recorder_summary *sums);

#endif
