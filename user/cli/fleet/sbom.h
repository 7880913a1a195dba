/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The answer to the query `sbom' as CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json): what was
 * seen mapped as evidence, with where and when. Knows the columns of that query.
 */
#ifndef PERFSTAMP_CLI_FLEET_SBOM_H
#define PERFSTAMP_CLI_FLEET_SBOM_H

#include <stdio.h>

#include "user/push/database.h"

/*
 * Errors of @out stick to it. Returns 0, -ENOMEM without text, or as the functions of
 * database.h do.
 */
int sbom__write(struct database *database, const struct database_answer *answer, FILE *out,
	struct error *err);

#endif
