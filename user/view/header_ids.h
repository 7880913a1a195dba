/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Build-ids, by path, that perf read from the files when recording ended. They belong to the file
 * that was then at the path, not to the mapped one, so views mark them.
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
 * Adds the entries of the bytes of a BUILD_ID feature, or of a HEADER_BUILD_ID record. Returns 0,
 * -ENOMEM, or -EBADMSG; the entries before the error are then added.
 */
int header_ids__add(struct header_ids *ids, const void *bytes, size_t size, bool swap);
/* Sorts by path, which header_ids__find() requires, and removes duplicates. */
void header_ids__sort(struct header_ids *ids);
/* Finds the entry for @path; NULL if there is none, or several that differ. */
const struct header_id *header_ids__find(const struct header_ids *ids, const char *path);
void header_ids__free(struct header_ids *ids);

#endif
