/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The contents that have each build-id. A build-id does not prove equality: contents with
 * the same one are distinguished by their cookies. Knows neither paths nor sightings.
 */
#ifndef PERFSTAMP_MODEL_CONTENT_H
#define PERFSTAMP_MODEL_CONTENT_H

#include <stddef.h>
#include <stdint.h>

#include "perfstamp/record.h"

struct content;
struct id_entry;

/* What is known of one build-id. */
struct shared_id {
	uint32_t n_contents; /* different cookies that came with it */
};

struct contents {
	struct id_entry *by_id;
	struct content *by_content;
	uint64_t n_shared; /* build-ids of more than one content */
};

/*
 * Adds @identity. *@ret is what is known of its build-id, for as long as @contents lives
 * and growing, or NULL if it has none; *@ret_number is which of its contents this is, from
 * 1 in order of appearance. 0: it came without a cookie, and may be any of them. Returns 0
 * or -ENOMEM.
 */
int contents__add(struct contents *contents, const struct perfstamp_identity *identity,
	const struct shared_id **ret, uint32_t *ret_number);
void contents__free(struct contents *contents);

#endif
