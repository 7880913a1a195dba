/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The source lines that samples are in, by DSO and file, with some lines around. Pure: the
 * caller fills in the text of the lines and its origin.
 */
#ifndef PERFSTAMP_MODEL_SOURCES_H
#define PERFSTAMP_MODEL_SOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/model/profile/report.h"

enum source_origin {
	SOURCE_NONE,
	SOURCE_DEBUGINFOD, /* a server's, for the DSO's build-id */
	SOURCE_VERIFIED,   /* at its path here, with the MD5 that the debug information has */
	SOURCE_UNPROVEN,   /* at its path here, not verified */
	SOURCE_ORIGINS,
};

/* Why there is no text. */
enum source_lack {
	SOURCE_LACKS_NOTHING,
	SOURCE_LACKS_FILE,
	SOURCE_LACKS_SAME_FILE, /* the file there is not the compiled one */
	SOURCE_LACKS_PROOF,     /* no MD5 to verify it; so it was not opened */
	SOURCE_LACKS_PERMISSION,
	SOURCE_LACKS_TEXT,   /* it is no text */
	SOURCE_LACKS_SIZE,   /* it is too large */
	SOURCE_LACKS_READER, /* reading it took too long, or failed */
	SOURCE_LACKS,
};

struct source_line {
	uint32_t number;
	uint64_t n; /* samples; 0: it stands around others */
	uint64_t period;
	char *text; /* without its end; NULL: not to be had. Untrusted */
	bool cut;   /* there is more of it */
};

/* A file that a DSO was compiled from; of each event one of its own. */
struct source_file {
	uint32_t event;
	uint32_t place; /* any of its places: it gives the DSO and the path */
	uint64_t n;     /* samples in all of its lines */
	uint64_t period;
	struct source_line *lines; /* by number */
	size_t n_lines;
	enum source_origin origin;
	enum source_lack lack;
};

struct sources {
	struct source_file *files; /* by event, most time first */
	size_t n;
};

/*
 * Of @report, whose keys are DSO and SRCLINE, and whose places of one DSO have one .srcline
 * where they have one path and line. Lines of less than @percent of their event are
 * skipped; up to @around lines stand before and behind each other one. Returns 0 or
 * -ENOMEM.
 */
int sources__find(struct sources *ret, const struct report *report, const struct resolved *resolved,
	double percent, uint32_t around);
void sources__free(struct sources *sources);

#endif
