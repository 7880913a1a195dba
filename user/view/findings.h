/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prints findings about a machine, one line each with advice, and the most useful advice
 * again at the end; or as one JSON object.
 */
#ifndef PERFSTAMP_VIEW_FINDINGS_H
#define PERFSTAMP_VIEW_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "user/base/finding.h"

/* Returns 0 or -ENOMEM; errors of writing stick to @out. */
int findings__write(FILE *out, const struct finding *findings, size_t n, bool json);

#endif
