/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The markers of a Firefox profile: builds that replaced another at a path, kernel modules, losses.
 * A part of firefox.c.
 */
#ifndef PERFSTAMP_VIEW_EXPORT_FIREFOX_PRIVATE_H
#define PERFSTAMP_VIEW_EXPORT_FIREFOX_PRIVATE_H

#include <stdint.h>
#include <stdio.h>

#include "user/view/export/profile.h"

struct firefox_marker;

struct firefox_markers {
	struct firefox_marker *v;
	size_t n, room;
	struct export_profile *profile;
	uint32_t names[4]; /* texts */
};

/* Collects the markers in the exported time; their names become texts. Returns 0 or -ENOMEM. */
int firefox_markers__find(struct firefox_markers *ret, struct export_profile *profile);
void firefox_markers__free(struct firefox_markers *markers);
/* Writes them as the table of a thread; if @markers is NULL, an empty table. */
void firefox_markers__write(
	FILE *out, const struct firefox_markers *markers, const struct export_source *of);
/* Writes the schema of the markers for the profiler, as an array. */
void firefox_markers__write_schemas(FILE *out);

#endif
