/* SPDX-License-Identifier: GPL-2.0-only */
/* What rotation.c and rotation_held.c share; no other file includes it. */
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
	uint64_t due_ns;           /* since when a switch is due, monotonic; 0: not due */
	uint64_t begun_ns;         /* when the file was begun, monotonic */
	uint64_t begun_size;       /* what it began with, bytes */
	struct recorder_file file; /* the one that is written now */
	struct counters base;      /* the recording's when it was begun */
	enum alive_part left_out;  /* what is omitted next if memory is short */
	bool failed;               /* the output failed in a switch */
	bool without;              /* records are written to no file */
	uint64_t tried_ns;         /* when a new file was last tried, monotonic */
	uint64_t without_samples;  /* samples of the recording when .without began */
	bool memory_reported;      /* the note that nothing more can be omitted */
	uint64_t memory_looked_ns; /* monotonic */
	struct counters repeated;  /* of the records that the file repeats at its start */
	struct counters files;     /* of the complete files, without repeated records */
	uint64_t n_files;          /* complete ones */
	uint64_t n_removed;        /* of these */
	struct held *held;         /* with --overwrite: see rotation_held.c; else NULL */
};

/*
 * Writes the header features of what @writer has written, and ends its file. Returns 0 or
 * -errno.
 */
int rotation__finish_file(
	const struct rotation *rotation, struct perfdata_writer *writer, struct error *err);
/* Whether the program of @id is loaded now; @living is the recorder's. */
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
 * Of --overwrite: from the beginning on, records are written to memory. Each 0 or -errno;
 * a file that cannot be written is reported, and is no error of rotation_held__run.
 */
int rotation_held__new(struct rotation *rotation, struct error *err);
void rotation_held__free(struct held *held);
bool rotation_held__is_due(const struct rotation *rotation, uint64_t now_ns);
void rotation_held__trim(struct rotation *rotation);
int rotation_held__run(struct rotation *rotation, bool asked, struct error *err);
void rotation_held__file_summary(const struct rotation *rotation, struct recorder_summary *sums);
void rotation_held__add_files(const struct rotation *rotation, struct recorder_summary *sums);

#endif
