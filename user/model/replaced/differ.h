/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a sighting can be replaced, and whether two identities are of one build. Knows no
 * processes.
 */
#ifndef PERFSTAMP_MODEL_DIFFER_H
#define PERFSTAMP_MODEL_DIFFER_H

#include <stdbool.h>

#include "perfstamp/record.h"
#include "user/model/model.h"

/* Whether all of @identity's content can be compared: by build-id, or by cookie alone. */
bool replaced__is_complete(const struct perfstamp_identity *identity);
bool replaced__have_one_build_id(
	const struct perfstamp_identity *a, const struct perfstamp_identity *b);

/* Whether a sighting's path can be replaced: a file, of the ELF format as far as is known. */
bool replaced__concerns(const struct sighting *sighting);
/* Whether two identities are known to be of different content. */
bool replaced__have_other_content(
	const struct perfstamp_identity *a, const struct perfstamp_identity *b);
/* The same of two files: the mappings of one that was written in place show what it has now. */
bool replaced__differ(const struct perfstamp_identity *a, const struct perfstamp_identity *b);

#endif
