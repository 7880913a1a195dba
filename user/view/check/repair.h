/* SPDX-License-Identifier: GPL-2.0-only */
/* Prints what a clean copy contains and lacks, as text and JSON. */
#ifndef PERFSTAMP_VIEW_REPAIR_H
#define PERFSTAMP_VIEW_REPAIR_H

#include <stdbool.h>
#include <stdio.h>

#include "user/perfdata/repair/repair.h"

/* After a write error, ferror(@out) is true. */
void repair__write(FILE *out, const struct repair *repair, const char *in_name,
	const char *out_name, bool json);

#endif
