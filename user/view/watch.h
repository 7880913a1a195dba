/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes an observation as one line of text, one JSON object, or the fields of one journal entry,
 * and decides which observations are wanted. Reads neither the machine nor the clock.
 */
#ifndef PERFSTAMP_VIEW_WATCH_H
#define PERFSTAMP_VIEW_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "user/model/replaced/observer.h"
#include "user/view/containers.h"
#include "user/view/format/fields.h"

/* An observation, and the data that the model does not have. */
struct watch_line {
	const struct observation *what;
	uint64_t realtime_ns;                    /* since 1970; 0: before watching began */
	const char *cgroup;                      /* path; NULL: not known */
	const char *unit;                        /* unit of systemd; NULL or empty: none */
	const struct container_facts *container; /* NULL: none */
};

struct watch_filter {
	bool kinds[OBSERVATION_KINDS];
	bool existing;         /* also what existed before */
	const char *path_glob; /* NULL: any path; * also matches / */
	const char *cgroup;    /* this path and those below it; NULL: any */
	const char *unit_glob; /* NULL: any unit, or none */
	const char *container_glob;
};

/* The number of suppressed observations of each kind. */
struct watch_left_out {
	uint64_t n[OBSERVATION_KINDS];
};

/* "dso", "clash", "replaced", "module", "lost". */
const char *watch_view__kind(enum observation_kind kind);
/* Sets .kinds from a list of these words. Returns 0 or -EINVAL. */
int watch_filter__kinds(struct watch_filter *filter, const char *list);
/* Losses are always wanted. */
bool watch_filter__wants(const struct watch_filter *filter, const struct watch_line *line);

/* Writes the observation in words, without a time and a newline. Errors stick to @out. */
void watch_view__sentence(FILE *out, const struct watch_line *line);
/* Writes each field once, as one record of @fields. */
void watch_view__fields(struct fields *fields, const struct watch_line *line);
/* Whether it is a warning: all kinds except new mappings and modules. */
bool watch_view__is_alarm(enum observation_kind kind);
/* Writes the start of a line of text: local time, and @kind in @color, an escape sequence or "". */
void watch_view__begin(FILE *out, uint64_t realtime_ns, const char *kind, const char *color);
/* Writes the line of text: local time, kind or WARNING (with @color in red), and the sentence. */
void watch_view__text(FILE *out, const struct watch_line *line, bool color);

/* The same for suppressed observations, up to @realtime_ns. */
void watch_left_out__sentence(FILE *out, const struct watch_left_out *left_out);
void watch_left_out__fields(
	struct fields *fields, const struct watch_left_out *left_out, uint64_t realtime_ns);
void watch_left_out__text(FILE *out, const struct watch_left_out *left_out, uint64_t realtime_ns);

#endif
