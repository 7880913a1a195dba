/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was found out about a machine, one line each with what to do about it, and in
 * the end the most useful advice once more; or as one JSON object.
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
