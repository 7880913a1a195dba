/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums the samples of recordings by function, for a comparison. A part of diff. */
#ifndef PERFSTAMP_CLI_DIFF_FOLD_H
#define PERFSTAMP_CLI_DIFF_FOLD_H

#include "user/cli/diff/counted.h"

/*
 * Adds up the samples of @event. @slices are the slices of both sides, after all @counted were
 * read. Inlined functions count separately if the debug information of a DSO was read on both
 * sides. Returns 0 or -ENOMEM.
 */
int fold(struct comparison *comparison, struct counted *counted, size_t n, const char *event,
	const struct diff_command *command, const struct slices *slices);

#endif
