/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What replaced.c asks about identities: whether two are of one build. Knows neither
 * processes nor paths.
 */
#ifndef PERFSTAMP_MODEL_DIFFER_H
#define PERFSTAMP_MODEL_DIFFER_H

#include <stdbool.h>

#include "perfstamp/record.h"

/* Whether all of @identity's content can be compared: by build-id, or by cookie alone. */
bool replaced__is_complete(const struct perfstamp_identity *identity);
bool replaced__have_one_build_id(
	const struct perfstamp_identity *a, const struct perfstamp_identity *b);

#endif
