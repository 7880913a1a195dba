/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The source lines that contain samples, by DSO and file, with some lines around them. Pure: the
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
	SOURCE_DEBUGINFOD, /* from a server, for the build-id of the DSO */
	SOURCE_VERIFIED,   /* the file at its path here; its MD5 is that of the debug information */
	SOURCE_UNPROVEN,   /* the file at its path here, not verified */
	SOURCE_ORIGINS,
};

/* The reason why there is no text. */
enum source_lack {
	SOURCE_LACKS_NOTHING,
	SOURCE_LACKS_FILE,
	SOURCE_LACKS_SAME_FILE, /* the file there is not the one that was compiled */
	SOURCE_LACKS_PROOF,     /* there is no MD5 to verify it, so it was not opened */
	SOURCE_LACKS_PERMISSION,
	SOURCE_LACKS_TEXT,   /* it is not a text file */
	SOURCE_LACKS_SIZE,   /* the file is too large */
	SOURCE_LACKS_READER, /* reading it took too long, or failed */
	SOURCE_LACKS,
};

struct source_line {
	uint32_t number;
	uint64_t n; /* samples; 0: a line around others */
	uint64_t period;
	char *text; /* without its newline; NULL: not available. Untrusted */
	bool cut;   /* the line is longer than .text */
};

/* A source file of a DSO. Each event has its own entries. */
struct source_file {
	uint32_t event;
	uint32_t place; /* any place in it, for the DSO and the path */
	uint64_t n;     /* samples in all of its lines */
	uint64_t period;
	struct source_line *lines; /* by line number */
	size_t n_lines;
	enum source_origin origin;
	enum source_lack lack;
};

struct sources {
	struct source_file *files; /* by event, and then by time spent */
	size_t n;
};

/*
 * Finds the lines of @report, which has the keys DSO and SRCLINE. Places of one DSO with the same
 * path and line have the same .srcline. Lines below @percent of their event are skipped. Up to
 * @around lines before and after each line are added. Returns 0 or -ENOMEM.
 */
int sources__find(struct sources *ret, const struct report *report, const struct resolved *resolved,
	double percent, uint32_t around);
void sources__free(struct sources *sources);

#endif
