/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which samples of a recording belong to a side of a comparison: by the build that their
 * process runs, and by time, container, pod, thread name and process. A part of diff.
 */
#ifndef PERFSTAMP_CLI_DIFF_SELECTION_H
#define PERFSTAMP_CLI_DIFF_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "user/event/event.h"
#include "user/model/compare/comparison.h"
#include "user/model/model.h"

/* All zero: every sample. */
struct selection {
	const char *path;      /* exactly; NULL: any */
	const char *path_glob; /* a shell pattern, in which * matches / too; NULL: any */
	uint8_t build_id[PERFSTAMP_BUILD_ID_MAX]; /* how it begins */
	int build_id_size;
	bool has_identity;
	struct perfstamp_identity identity; /* exactly */
	uint64_t from_ns, to_ns;            /* 0: from the beginning, to the end */
	const char *container, *pod, *comm; /* shell patterns; NULL: any */
	uint32_t pid;                       /* 0: any */
	const char *given;                  /* by the user, as it stands on the command line */
	char *text;                         /* a copy that the patterns point into */
};

/* Follows the processes of one recording. */
struct members;

/* A side that is not @active has no samples here. All has to live as long. Returns 0 or -ENOMEM. */
int members__new(
	struct members **ret, const struct selection sides[SIDES], const bool active[SIDES]);
void members__free(struct members *members);
/* Each event that @model has taken, in time order. Returns 0 or -ENOMEM. */
int members__follow(struct members *members, const struct model *model, const struct event *event);
/*
 * The side of a sample; SIDES: neither. In a process that maps the builds of both sides at
 * once, what is in neither is of the newer build. -ENOMEM is returned by the next call of
 * members__follow().
 */
enum comparison_side members__side(
	struct members *members, const struct model *model, const struct event *event);
/*
 * How long processes of a side that is selected by its build were there; otherwise from the
 * first of its samples to the last.
 */
uint64_t members__life_ns(const struct members *members, enum comparison_side side);
/* The processes that had samples on this side. */
size_t members__n_processes(const struct members *members, enum comparison_side side);
/* Whether processes are selected by what they map. */
bool selection__is_by_build(const struct selection *selection);
/* Whether @sighting is what the processes of this side map. */
bool selection__matches(const struct selection *selection, const struct sighting *sighting);

#endif
