/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads a recording into the model, in time order. Every command on a recording begins with
 * this.
 */
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
	bool unfinished;       /* no proper end was written */
	bool damaged;          /* what comes before the damage is in the model */
	struct error damage;   /* what is wrong, and where */
	uint64_t end;          /* offset behind the last whole record */
	uint64_t features_cut; /* header features that lie beyond the file's end */
	uint64_t records;
	uint64_t late;       /* older than what was already in order */
	uint64_t unresolved; /* mappings that refer to a note that does not exist */
	char *osrelease;     /* header features; NULL: it has none */
	char *arch;
	char *hostname;
	bool has_wall;   /* .wall_ns is known */
	int64_t wall_ns; /* to be added to a time of the recording: ns since the epoch */
	char *stamp;     /* its own lines (perfdata/features/stamp.h) */
	size_t stamp_size;
};

struct perfdata_reader;

/* Sees each event in time order, when the model has taken it; returns 0, or -ENOMEM. */
struct input_tap {
	int (*fn)(void *ctx, const struct perfdata_reader *reader, const struct model *model,
		const struct event *event);
	void *ctx;
	bool again; /* it was read before, and its warnings were printed */
	bool lives; /* the model follows the lives of sightings (model.h) */
	/* With several files, called before each one but the first; or NULL. */
	void (*next_file)(void *ctx);
};

/*
 * Reads @path ("-" is standard input). Damage is no failure: see .damaged. Warns if the file was
 * cut off. Returns 0 or -errno if there is nothing to show; free it in either case.
 */
int input__read(struct input *ret, const char *path, struct error *err);
/* Does the same, and counts the entries of call chains (model.h). */
int input__read_chains(struct input *ret, const char *path, struct error *err);
int input__read_with(
	struct input *ret, const char *path, const struct input_tap *tap, struct error *err);
/*
 * Reads files of one series, in the order of their times (series.h), as one recording. The features
 * are those of the first file; .stamp has the lines of all. Returns -EINVAL with text if a sample
 * is older than the samples of the file before.
 */
int input__read_series(struct input *ret, const char *const *paths, size_t n,
	const struct input_tap *tap, struct error *err);
/*
 * Sees to it that standard input can be read more than once: what a pipe brings is put into
 * a temporary file, which takes its place. Returns 0 or -errno with text.
 */
int input__keep_standard(struct error *err);
void input__free(struct input *input);
/* Called after each record that @reader passes on, between progress_bar__begin and its end. */
void input__show_progress(const struct perfdata_reader *reader);
/*
 * Warns where the file @path, which @reader has read without damage, has not all that its
 * header announces: a cut between two records shows in nothing else.
 */
void input__warn_if_cut(const struct perfdata_reader *reader, const char *path);

#endif
