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
	uint64_t samples[SIDES]; /* samples in the DSO itself */
	/* The time when the new build took over the path, or was first mapped. */
	uint64_t time_ns;
	bool replaced;   /* it took over the path; false: both builds were mapped at once */
	size_t n_others; /* other paths that were replaced */
	size_t n_builds; /* builds of the path that have samples */
	char **files;    /* the files of a series to read, in time order */
	size_t n_files;
	/*
	 * The last file is the one that is being written, which may be renamed at any time. So
	 * .files contains it by this descriptor, and .written is its name. Only valid with
	 * .written; the caller owns it.
	 */
	int written_fd;
	const char *written;
};

/*
 * Finds replaced paths in @model, which has to follow lives. A path has to match @glob (NULL: all),
 * and have two builds with samples: the last one that replaced another one, and that one. If none
 * did, the last two are returned. Replaced builds with the most samples are first. The caller frees
 * each entry, and *@ret with free(). Returns 0 or -ENOMEM.
 */
int deploy__list(struct deploy **ret, size_t *ret_n, struct model *model, const char *glob);
/*
 * Finds the first such path in the recording @path. Returns 0 or -errno. The caller frees @ret in
 * either case.
 */
int deploy__find(struct deploy *ret, const char *path, const char *glob, struct error *err);
/*
 * The same for a series of recordings; @path is the one that is being written. Finds when the
 * current build of @dso, or the one that @after selects (if it is not NULL), took over its path,
 * and which build it replaced. .files cover @window_ns before that. Returns 0 or -errno.
 */
int deploy__find_in_series(struct deploy *ret, const char *path, const char *dso,
	const struct selection *after, uint64_t window_ns, struct error *err);
/*
 * If .files[@file] is the file that is being written, puts its name before the text of an error in
 * reading it.
 */
void deploy__name_in_error(const struct deploy *deploy, size_t file, struct error *err);
void deploy__free(struct deploy *deploy);

#endif
