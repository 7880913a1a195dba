/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The identities of a recording, one line each, as text whose first two columns
 * are those of `perf buildid-list`, or as JSON. Reads the model; knows no file.
 */
#ifndef PERFSTAMP_VIEW_LIST_H
#define PERFSTAMP_VIEW_LIST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "user/model/model.h"
#include "user/view/header_ids.h"

struct list_options {
	bool json;
	bool verbose;               /* text: all columns, with a heading */
	const char *path_glob;      /* NULL: every path */
	const char *container_glob; /* NULL: wherever it was mapped; see containers.h */
	uint8_t build_id[PERFSTAMP_BUILD_ID_MAX]; /* the first bytes that it must have */
	size_t build_id_size;                     /* 0: any, or none */
	bool kernel_only;
	bool user_only;
};

/*
 * Writes the sightings of @model that @options ask for to @out, by path and
 * then by time. @header_ids (which may be NULL) has what perf read when its
 * recording ended: it names sightings that have no build-id of their own, marked
 * as such, and adds the files that no mapping was seen of. Returns the number of
 * lines, or -ENOMEM; errors of writing stick to @out.
 */
int list__write(FILE *out, struct model *model, const struct header_ids *header_ids,
	const struct list_options *options);

#endif
