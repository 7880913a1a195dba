/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The output of `perfstamp diff --json' in one line: as text, or as the fields of a JSON
 * object or a journal entry. Reads no file and starts no process.
 */
#ifndef PERFSTAMP_VIEW_DIFF_BRIEF_H
#define PERFSTAMP_VIEW_DIFF_BRIEF_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "user/model/compare/comparison.h"
#include "user/view/format/fields.h"

#define DIFF_BRIEF_CHANGES 3 /* marked functions that are shown by name */

struct diff_brief {
	/* Set by the caller. */
	const char *path;     /* the replaced path; any bytes */
	const char *file;     /* the recording; any bytes */
	uint64_t time_ns;     /* time of the comparison, monotonic */
	uint64_t realtime_ns; /* the same since 1970 */
	const char *error;    /* why there is no comparison; any bytes; NULL: there is one */
	/* Set by diff_brief__parse(). */
	char *builds[SIDES]; /* build-id in hexadecimal, or "cookie:" and the cookie */
	uint64_t n_samples[SIDES];
	uint64_t n_tested, n_marked; /* numbers of functions */
	char *changes;               /* the first marked ones, escaped; "": none */
};

/*
 * Parses the @size bytes of `perfstamp diff --json' at @text. Returns 0, -EBADMSG if they are not
 * such output, or -ENOMEM; free @brief in either case.
 */
int diff_brief__parse(struct diff_brief *brief, const char *text, size_t size);
/* Frees what diff_brief__parse() has set. */
void diff_brief__free(struct diff_brief *brief);

/* Writes the text without a time and a newline. After a write error, ferror(@out) is true. */
void diff_brief__sentence(FILE *out, const struct diff_brief *brief);
void diff_brief__text(FILE *out, const struct diff_brief *brief);
void diff_brief__fields(struct fields *fields, const struct diff_brief *brief);

#endif
