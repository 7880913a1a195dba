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
	uint64_t unresolved; /* source of the modules; NULL: no modules are shown */
	const char *stamp;   /* perfstamp's own lines (perfdata/features/stamp.h), or NULL */
	size_t stamp_size;
	const struct model_ledger *ledger;
	const struct model *model;          /* source of the modules; NULL: no modules are shown */
	const struct cpu_use_view *cpu_use; /* NULL: the output has no part on CPU time */
};

/*
 * Writes the result to @out. Returns the number of findings, which are: damage, a recording that
 * was not closed properly, truncated features, late records, missing notes, losses, and mappings
 * without an identity although their content may have a build-id.
 *
 * Not findings, but reported: content without a build-id, another recorder that did not request
 * build-ids, and samples that are not in proportion to CPU time.
 */
int check__write(FILE *out, const struct check_facts *facts, bool json);

#endif
