/* SPDX-License-Identifier: GPL-2.0-only */
/* The lines that OpenMetrics 1.0 is made of. Pure; errors stick to @out. */
#ifndef PERFSTAMP_VIEW_FORMAT_OPENMETRICS_H
#define PERFSTAMP_VIEW_FORMAT_OPENMETRICS_H

#include <stdint.h>
#include <stdio.h>

#define OPENMETRICS_PREFIX "perfstamp_" /* of each name, which is given without it */

/* The lines before the values of a family. @unit, or NULL, is the end of @name. */
void openmetrics__begin(
	FILE *out, const char *name, const char *type, const char *unit, const char *help);
/* @key="@value"; the value may be any bytes. */
void openmetrics__label(FILE *out, const char *key, const char *value);

/* A family of one value, without labels. */
void openmetrics__gauge(
	FILE *out, const char *name, const char *unit, const char *help, double value);
/* The same of a whole number without a unit. */
void openmetrics__number(FILE *out, const char *name, const char *help, uint64_t n);

#endif
