/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prints the result of check: the findings, and the ledger of mappings and samples. Does
 * not know files; the caller passes what was found.
 */
#ifndef PERFSTAMP_VIEW_CHECK_H
#define PERFSTAMP_VIEW_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "user/model/model.h"
#include "user/view/check/cpu_use.h"

struct check_facts {
	const char *name;
	bool pipe;
	bool directory;
	bool unfinished;
	const char *damage;    /* NULL: none */
	uint64_t features_cut; /* header features beyond the file's end */
	uint64_t end;          /* offset behind the last whole record */
	uint64_t records;
	uint64_t late;
	uint64_t unresolved; /* mappings that refer to a note that does not exist */
	const char *stamp;   /* perfstamp's own lines (perfdata/features/stamp.h), or NULL */
	size_t stamp_size;
	const struct model_ledger *ledger;
	const struct model *model;          /* for its modules; NULL: none are shown */
	const struct cpu_use_view *cpu_use; /* NULL: nothing is written of CPU time */
};

/*
 * Writes the verdict to @out. Returns the number of findings, that is of the
 * things that are wrong: damage, no proper end, cut features, late records, missing notes, losses,
 * and mappings whose identity was missed although their content may have had one.
 * That content has no build-id, that another recorder asked for none, or that samples are not
 * in proportion to CPU time, is reported, but is not wrong.
 */
int check__write(FILE *out, const struct check_facts *facts, bool json);

#endif
