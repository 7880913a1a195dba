/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes a line of watch in one of three formats: text, JSON, or an entry of the journal. */
#ifndef PERFSTAMP_CLI_WATCH_LINE_H
#define PERFSTAMP_CLI_WATCH_LINE_H

#include <stdbool.h>
#include <stdio.h>

#include "user/view/format/fields.h"

/* The content of a line, and a function for each format. */
struct line {
	void (*text)(FILE *out, const void *what);
	void (*sentence)(FILE *out, const void *what);
	void (*fields)(struct fields *fields, const void *what);
	const void *what;
	int priority; /* priority of syslog(3), for the journal */
};

/*
 * Writes to the @journal, or to standard output as JSON or text. Returns 0, or -errno of the
 * journal.
 */
int line__write(const struct line *line, bool journal, bool json);

#endif
