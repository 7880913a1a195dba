/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The contents that have each build-id. Files with one build-id can differ; contents are then
 * distinguished by their cookies. Knows neither paths nor sightings.
 */
#ifndef PERFSTAMP_MODEL_CONTENT_H
#define PERFSTAMP_MODEL_CONTENT_H

#include <stddef.h>
#include <stdint.h>

#include "perfstamp/record.h"

struct content;
struct id_entry;

/* The contents with one build-id. */
struct shared_id {
	uint32_t n_contents; /* different cookies among the identities with this build-id */
};

struct contents {
	struct id_entry *by_id;
	struct content *by_content;
	uint64_t n_shared; /* build-ids with more than one content */
};

/*
 * Adds @identity. *@ret is set to the entry of its build-id, or to NULL if it has none. The entry
 * remains valid as long as @contents, and its count may grow. *@ret_number is set to the number of
 * the content, from 1 in order of appearance; 0: the identity has no cookie, so it may be any of
 * them. Returns 0 or -ENOMEM.
 */
int contents__add(struct contents *contents, const struct perfstamp_identity *identity,
	const struct shared_id **ret, uint32_t *ret_number);
void contents__free(struct contents *contents);

#endif
