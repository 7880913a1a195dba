/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the files of the timeline: the counts of timeline.c. */
#ifndef PERFSTAMP_VIEW_TIMELINE_PRIVATE_H
#define PERFSTAMP_VIEW_TIMELINE_PRIVATE_H

#include <stdio.h>

#include "user/base/hash.h"
#include "user/model/model.h"
#include "user/view/format/json.h"
#include "user/view/timeline/about.h"
#include "user/view/timeline/series.h"

enum timeline_mode { TIMELINE_USER, TIMELINE_KERNEL, TIMELINE_OTHER, TIMELINE_N_MODES };

struct timeline_cgroup {
	uint64_t id;
	uint64_t first_ns; /* first time at which it was seen; 0: before recording */
	uint64_t last_ns;
	uint64_t samples;
	uint64_t mappings;
	struct timeline_series series; /* its samples */
	UT_hash_handle hh;
};

#define TIMELINE_CPUS_MAX 8192u /* NR_CPUS of the largest kernels */

/* A CPU with samples. */
struct timeline_cpu {
	uint64_t samples;
	struct timeline_series series;
};

struct timeline {
	struct timeline_bins bins;
	uint64_t end_ns;
	struct timeline_series samples[TIMELINE_N_MODES];
	struct timeline_series lost;
	uint64_t n_samples[TIMELINE_N_MODES];
	uint64_t n_lost;
	struct timeline_series *sightings; /* for each sighting: its samples */
	size_t n_sightings;
	struct timeline_cgroup *cgroups; /* hashed by id */
	struct timeline_cpu *cpus;       /* by number of the CPU */
	size_t n_cpus;
	struct timeline_series *sums; /* for each sum: its samples */
	size_t n_sums;
};

/* Makes the data of the page, for its script. Returns NULL if memory is exhausted. */
struct json_object *timeline_data__make(
	struct timeline *timeline, struct model *model, const struct timeline_about *about);
/*
 * Makes the functions of samples that timeline__count() has counted, in @room bytes. Returns NULL
 * if memory is exhausted.
 */
struct json_object *timeline_functions__make(struct timeline *timeline, struct model *model,
	const struct timeline_functions *of, size_t room);
/*
 * Returns as many comparisons as fit into @room bytes, which are divided among them. Each has the
 * first of its functions, and the number of functions that do not fit. *@ret_left_out: how many
 * comparisons do not fit even without functions. Returns NULL if memory is exhausted.
 */
struct json_object *timeline_comparisons__fit(
	struct json_object *comparisons, size_t room, uint64_t *ret_left_out);
/* Writes the page around @data, and frees @data. */
void timeline_page__write(FILE *out, struct json_object *data, const struct timeline_about *about);

#endif
