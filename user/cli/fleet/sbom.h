/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes the answer to the query `sbom' as CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json).
 * Mapped files are evidence, with the place and time. Knows the columns of that query.
 */
#ifndef PERFSTAMP_CLI_FLEET_SBOM_H
#define PERFSTAMP_CLI_FLEET_SBOM_H

#include <stdio.h>

#include "user/push/database.h"

/* The caller checks @out for errors. Returns 0, -ENOMEM without text, or an error of database.h. */
int sbom__write(struct database *database, const struct database_answer *answer, FILE *out,
	struct error *err);

#endif
