/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes the lines of OpenMetrics 1.0. Pure; errors stick to @out. */
#ifndef PERFSTAMP_VIEW_FORMAT_OPENMETRICS_H
#define PERFSTAMP_VIEW_FORMAT_OPENMETRICS_H

#include <stdint.h>
#include <stdio.h>

#define OPENMETRICS_PREFIX "perfstamp_" /* begins each name, which is passed without it */

/* Writes the lines that precede the values of a family. @unit, or NULL, is the end of @name. */
void openmetrics__begin(
	FILE *out, const char *name, const char *type, const char *unit, const char *help);
/* Writes @key="@value"; the value may be any bytes. */
void openmetrics__label(FILE *out, const char *key, const char *value);

/* Writes a family of one value, without labels. */
void openmetrics__gauge(
	FILE *out, const char *name, const char *unit, const char *help, double value);
/* The same for a whole number without a unit. */
void openmetrics__number(FILE *out, const char *name, const char *help, uint64_t n);

#endif
