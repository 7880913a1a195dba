/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The budget of a directory: which files of recordings in several stay in it, those of
 * earlier runs included, and those that a recorder did not finish, once they have their
 * names (series.h). Removes nothing but what has such a name, is a file of perfstamp's
 * (recognize.h), and is over the budget.
 */
#ifndef PERFSTAMP_RECORD_KEEP_H
#define PERFSTAMP_RECORD_KEEP_H

#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"

struct keep_budget {
	uint64_t bytes;  /* of all that stay; 0: any */
	uint64_t age_ns; /* since they were written; 0: any */
};

/*
 * Removes the oldest of @path's files with a time until the others are within @budget; the
 * newest stays in any case. *@ret_removed is how many, also on an error. Returns 0 or
 * -errno.
 */
int keep__trim(
	const char *path, const struct keep_budget *budget, size_t *ret_removed, struct error *err);

#endif
