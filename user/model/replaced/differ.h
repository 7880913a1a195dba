/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decides whether a sighting can be replaced, and whether two identities belong to one build. Does
 * not know processes.
 */
#ifndef PERFSTAMP_MODEL_DIFFER_H
#define PERFSTAMP_MODEL_DIFFER_H

#include <stdbool.h>

#include "perfstamp/record.h"
#include "user/model/model.h"

/* Whether @identity covers its whole content: with a build-id, or with a cookie alone. */
bool replaced__is_complete(const struct perfstamp_identity *identity);
bool replaced__have_one_build_id(
	const struct perfstamp_identity *a, const struct perfstamp_identity *b);

/* Whether the path of a sighting can be replaced: it is a file, and is or may be ELF. */
bool replaced__concerns(const struct sighting *sighting);
/* Whether two identities are known to have different content. */
bool replaced__have_other_content(
	const struct perfstamp_identity *a, const struct perfstamp_identity *b);
/*
 * The same for two files. A file that was written in place does not differ from its former content,
 * since existing mappings show the new content.
 */
bool replaced__differ(const struct perfstamp_identity *a, const struct perfstamp_identity *b);

#endif
