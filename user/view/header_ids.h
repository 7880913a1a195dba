/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Build-ids that perf read from the files when recording ended, by path. They show the file
 * that was at the path then, not the mapped one, so views mark them.
 */
#ifndef PERFSTAMP_VIEW_HEADER_IDS_H
#define PERFSTAMP_VIEW_HEADER_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfstamp/record.h"

struct header_id {
	char *path;
	uint8_t build_id[PERFSTAMP_BUILD_ID_MAX];
	uint8_t build_id_size;
	bool kernel;
};

struct header_ids {
	struct header_id *v;
	size_t n;
	size_t room;
};

/*
 * Adds the entries of BUILD_ID feature bytes, or of a HEADER_BUILD_ID record.
 * Returns 0, -ENOMEM, or -EBADMSG, where the entries before the fault are in.
 */
int header_ids__add(struct header_ids *ids, const void *bytes, size_t size, bool swap);
/* By path, which header_ids__find needs; and what is there several times, once. */
void header_ids__sort(struct header_ids *ids);
/* The entry for @path; NULL if there is none, or several that differ. */
const struct header_id *header_ids__find(const struct header_ids *ids, const char *path);
void header_ids__free(struct header_ids *ids);

#endif
