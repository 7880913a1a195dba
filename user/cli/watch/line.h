/* SPDX-License-Identifier: GPL-2.0-only */
/* A line of watch in one of three forms: as text, as JSON, or as an entry of the journal. */
#ifndef PERFSTAMP_CLI_WATCH_LINE_H
#define PERFSTAMP_CLI_WATCH_LINE_H

#include <stdbool.h>
#include <stdio.h>

#include "user/view/format/fields.h"

/* The content of the line, and how to write it. */
struct line {
	void (*text)(FILE *out, const void *what);
	void (*sentence)(FILE *out, const void *what);
	void (*fields)(struct fields *fields, const void *what);
	const void *what;
	int priority; /* of syslog(3), for the journal */
};

/*
 * To the @journal, else as @json or text to standard output. Returns 0, or -errno of the
 * journal.
 */
int line__write(const struct line *line, bool journal, bool json);

#endif
