/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes a comparison: selects what to compare, reads the recordings and computes the differences.
 * Prints only warnings. For diff and timeline.
 */
#ifndef PERFSTAMP_CLI_DIFF_COMPARE_H
#define PERFSTAMP_CLI_DIFF_COMPARE_H

#include "user/cli/diff/counted.h"
#include "user/cli/diff/deploy.h"
#include "user/cli/diff/options.h"
#include "user/view/diff/diff.h"

struct compared {
	struct diff_command *command;
	struct deploy deploy; /* .path NULL: no replacement was searched for */
	struct counted *files;
	size_t n_files;
	struct slices slices[SIDES];
	struct comparison comparison;
	struct differences kinds[UNIT_KINDS];
	struct diff_view view;
};

/*
 * Makes the comparison of @command, which has to live as long as @ret. Returns 0 or -errno. The
 * caller frees @ret in either case.
 */
int compared__make(struct compared *ret, struct diff_command *command, struct error *err);
/* The same for a given replacement. */
int compared__make_of(struct compared *ret, struct diff_command *command,
	const struct deploy *deploy, struct error *err);
void compared__free(struct compared *compared);

#endif
