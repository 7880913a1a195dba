/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prints the identities of a recording, one line each, as text whose first two columns are those of
 * `perf buildid-list', or as JSON. Reads the model; does not know files.
 */
#ifndef PERFSTAMP_VIEW_LIST_H
#define PERFSTAMP_VIEW_LIST_H

#include <stdint.h>
#include <stdio.h>

#include "user/view/list/rows.h"

/*
 * Writes the sightings of @model that @options select to @out, by path and then by time.
 * @header_ids (may be NULL) has the ids that perf read when its recording ended. These are shown,
 * with a mark, for sightings without a build-id, and for files without a mapping. Returns the
 * number of lines, or -ENOMEM; errors of writing stick to @out.
 */
int list__write(FILE *out, struct model *model, const struct header_ids *header_ids,
	const struct list_options *options);
/* Writes a column of a time in seconds; "-" for 0. */
void list__write_time(FILE *out, uint64_t time_ns);

#endif
