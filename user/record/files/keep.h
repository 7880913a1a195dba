/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Removes the oldest files of recordings in several files. These include the files of earlier runs,
 * and files that a recorder did not finish, once they are renamed (series.h). A file is removed
 * only if it has such a name, was written by perfstamp (recognize.h), and is over the budget.
 */
#ifndef PERFSTAMP_RECORD_KEEP_H
#define PERFSTAMP_RECORD_KEEP_H

#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"

struct keep_budget {
	uint64_t bytes;  /* limit of all remaining files; 0: none */
	uint64_t age_ns; /* limit of their age; 0: none */
};

/*
 * Removes the oldest of @path's complete files until the others are within @budget; always
 * keeps the newest. *@ret_removed is their number, also on an error. Returns 0 or -errno.
 */
int keep__trim(
	const char *path, const struct keep_budget *budget, size_t *ret_removed, struct error *err);

#endif
