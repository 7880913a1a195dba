/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the two builds to compare by default: those before and after a replacement. A part
 * of diff.
 */
#ifndef PERFSTAMP_CLI_DIFF_DEPLOY_H
#define PERFSTAMP_CLI_DIFF_DEPLOY_H

#include "user/base/error.h"
#include "user/cli/diff/selection.h"

struct deploy {
	char *path;
	struct perfstamp_identity builds[SIDES];
	uint64_t samples[SIDES]; /* in the DSO itself */
	uint64_t time_ns;        /* when the new one took over the path, or was first mapped */
	bool replaced;           /* it took over the path; false: both were mapped at once */
	size_t n_others;         /* paths that were replaced as well */
	size_t n_builds;         /* builds of the path that have samples */
	char **files;            /* in a series: the files to read, by time */
	size_t n_files;
	/*
	 * The last of them is the file being written, which may be renamed at any moment. So
	 * .files has it by this descriptor, and this is its name. Only valid with .written,
	 * which the caller owns.
	 */
	int written_fd;
	const char *written;
};

/*
 * Finds the paths in @model, which follows lives, that match @glob (NULL: all) and had two
 * builds with samples, and the last two builds of each; replaced builds with the most
 * samples first. The caller frees each, and *@ret by free(). Returns 0 or -ENOMEM.
 */
int deploy__list(struct deploy **ret, size_t *ret_n, struct model *model, const char *glob);
/* Finds the first of these in the recording @path. Returns 0 or -errno; free it in either case. */
int deploy__find(struct deploy *ret, const char *path, const char *glob, struct error *err);
/*
 * Does the same for a series of recordings, of which @path is the one being written: finds when the
 * current build of @dso took over, and which build it replaced. .files cover @window_ns before.
 * Returns 0 or -errno.
 */
int deploy__find_in_series(struct deploy *ret, const char *path, const char *dso,
	uint64_t window_ns, struct error *err);
/* Puts the name of the file being written before an error in reading .files[@file]. */
void deploy__name_in_error(const struct deploy *deploy, size_t file, struct error *err);
void deploy__free(struct deploy *deploy);

#endif
