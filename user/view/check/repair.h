/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a clean copy has and what it lacks, as text and JSON.
 */
#ifndef PERFSTAMP_VIEW_REPAIR_H
#define PERFSTAMP_VIEW_REPAIR_H

#include <stdbool.h>
#include <stdio.h>

#include "user/perfdata/repair/repair.h"

/* Errors of writing stick to @out. */
void repair__write(FILE *out, const struct repair *repair, const char *in_name,
	const char *out_name, bool json);

#endif
