/* SPDX-License-Identifier: GPL-2.0-only */
/* The data about the whole recording for the page of a timeline. */
#ifndef PERFSTAMP_VIEW_TIMELINE_ABOUT_H
#define PERFSTAMP_VIEW_TIMELINE_ABOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/model/profile/functions.h"
#include "user/model/profile/samples.h"
#include "user/view/header_ids.h"

struct json_object;

/* The functions of samples. Everything must be valid until the page is written. */
struct timeline_functions {
	const struct samples *samples;               /* distinguished by cgroup, with call chains */
	const struct resolved *resolved;             /* one for each place */
	const struct perfstamp_identity *identities; /* one for each sighting */
	/* the event whose samples are shown; counts of several events cannot be added */
	uint32_t event;
	const char *event_name; /* its name */
};

/* The other data about the recording. An unknown text is NULL. */
struct timeline_about {
	const char *name; /* name of the file, or of the series */
	size_t n_files;
	const char *host;
	const char *release; /* release of the kernel */
	const char *problem; /* problem of the file */
	const char *stamp;   /* the recording's own lines (perfdata/features/stamp.h) */
	size_t stamp_size;
	bool has_wall;   /* .wall_ns is known */
	int64_t wall_ns; /* added to a time of the recording, it gives ns since the epoch */
	const struct header_ids *header_ids;
	/*
	 * The comparisons of replaced builds (timeline_comparison__make()); NULL: not compared.
	 * Owned by the caller.
	 */
	struct json_object *comparisons;
	const struct timeline_functions *functions; /* NULL: the page shows no functions */
};

#endif
