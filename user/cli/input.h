/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads a recording into the model, in time order. Every command that reads a recording uses it. */
#ifndef PERFSTAMP_CLI_INPUT_H
#define PERFSTAMP_CLI_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/model/model.h"
#include "user/view/header_ids.h"

struct input {
	struct model *model;
	struct header_ids header_ids; /* sorted */
	bool pipe;
	bool directory;
	bool unfinished; /* the recording was not closed properly */
	/* The recording is damaged; events before the damage are in the model. */
	bool damaged;
	struct error damage;   /* description and place of the damage */
	uint64_t end;          /* offset behind the last complete record */
	uint64_t features_cut; /* header features beyond the end of the file */
	uint64_t records;
	uint64_t late;       /* events that were older than events already passed on */
	uint64_t unresolved; /* mappings that refer to a note that does not exist */
	char *osrelease;     /* header features; NULL: missing */
	char *arch;
	char *hostname;
	bool has_wall;   /* .wall_ns is known */
	int64_t wall_ns; /* add it to a time of the recording to get ns since the epoch */
	char *stamp;     /* the lines of perfstamp's own feature (perfdata/features/stamp.h) */
	size_t stamp_size;
};

struct perfdata_reader;

/* Receives each event in time order, after the model. Returns 0 or -ENOMEM. */
struct input_tap {
	int (*fn)(void *ctx, const struct perfdata_reader *reader, const struct model *model,
		const struct event *event);
	void *ctx;
	bool again; /* the file was read before, and its warnings were printed */
	bool lives; /* the model follows the lives of sightings (model.h) */
	/* Called before each file except for the first; or NULL. */
	void (*next_file)(void *ctx);
};

/*
 * Reads @path ("-" is standard input). Damage is not an error: see .damaged. Warns if the file was
 * truncated. Returns 0, or -errno if there is nothing to show. The caller frees @ret in either
 * case.
 */
int input__read(struct input *ret, const char *path, struct error *err);
/* The same, and counts the entries of call chains (model.h). */
int input__read_chains(struct input *ret, const char *path, struct error *err);
int input__read_with(
	struct input *ret, const char *path, const struct input_tap *tap, struct error *err);
/*
 * Reads the files of a series (series.h) as one recording, in time order. The features are those of
 * the first file; .stamp has the lines of all files. Returns -EINVAL with text if a sample is older
 * than the samples of the previous file.
 */
int input__read_series(struct input *ret, const char *const *paths, size_t n,
	const struct input_tap *tap, struct error *err);
/*
 * Makes it possible to read standard input more than once: copies the data of a pipe to a temporary
 * file, which becomes standard input. Returns 0 or -errno with text.
 */
int input__keep_standard(struct error *err);
void input__free(struct input *input);
/*
 * Shows progress. Call it for each record from @reader, between progress_bar__begin() and
 * progress_bar__end().
 */
void input__show_progress(const struct perfdata_reader *reader);
/*
 * Warns if the file @path, which @reader read without damage, is shorter than its header says. If a
 * file was truncated between two records, there is no other sign of it.
 */
void input__warn_if_cut(const struct perfdata_reader *reader, const char *path);

#endif
