// SPDX-License-Identifier: GPL-2.0-only
/* See openmetrics.h. */
#include "user/view/format/openmetrics.h"

#include <inttypes.h>

void openmetrics__begin(
	FILE *out, const char *name, const char *type, const char *unit, const char *help)
{
	fprintf(out, "# TYPE " OPENMETRICS_PREFIX "%s %s\n", name, type);
	if (unit)
		fprintf(out, "# UNIT " OPENMETRICS_PREFIX "%s %s\n", name, unit);
	fprintf(out, "# HELP " OPENMETRICS_PREFIX "%s %s\n", name, help);
}

void openmetrics__label(FILE *out, const char *key, const char *value)
{
	fprintf(out, "%s=\"", key);
	for (; *value; value++) {
		if (*value == '\n')
			fputs("\\n", out);
		else if (*value == '"' || *value == '\\')
			fprintf(out, "\\%c", *value);
		else
			fputc(*value, out);
	}
	fputc('"', out);
}

void openmetrics__gauge(
	FILE *out, const char *name, const char *unit, const char *help, double value)
{
	openmetrics__begin(out, name, "gauge", unit, help);
	fprintf(out, OPENMETRICS_PREFIX "%s %.17g\n", name, value);
}

void openmetrics__number(FILE *out, const char *name, const char *help, uint64_t n)
{
	openmetrics__begin(out, name, "gauge", NULL, help);
	fprintf(out, OPENMETRICS_PREFIX "%s %" PRIu64 "\n", name, n);
}
