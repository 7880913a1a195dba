/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decides which side of a comparison a sample belongs to: by the build that its process maps, and
 * by time, container, pod, thread name and process. A part of diff.
 */
#ifndef PERFSTAMP_CLI_DIFF_SELECTION_H
#define PERFSTAMP_CLI_DIFF_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "user/event/event.h"
#include "user/model/compare/comparison.h"
#include "user/model/model.h"

/* The selection of one side. All zero: every sample. */
struct selection {
	const char *path;      /* exact path; NULL: any */
	const char *path_glob; /* a shell pattern, in which * matches / too; NULL: any */
	uint8_t build_id[PERFSTAMP_BUILD_ID_MAX]; /* its first bytes */
	int build_id_size;
	bool has_identity;
	struct perfstamp_identity identity; /* exact identity */
	uint64_t from_ns, to_ns;            /* 0: from the begin, or to the end */
	const char *container, *pod, *comm; /* shell patterns; NULL: any */
	uint32_t pid;                       /* 0: any */
	const char *given;                  /* the text on the command line */
	char *text;                         /* a copy that the patterns point into */
};

/* The processes of one recording. */
struct members;

/*
 * A side that is not @active has no samples in this recording. The arguments have to live as long
 * as *@ret. Returns 0 or -ENOMEM.
 */
int members__new(
	struct members **ret, const struct selection sides[SIDES], const bool active[SIDES]);
void members__free(struct members *members);
/* Applies the next event in time order; apply it to @model first. Returns 0 or -ENOMEM. */
int members__follow(struct members *members, const struct model *model, const struct event *event);
/*
 * Returns the side of a sample, or SIDES for neither. If a process maps the builds of both sides,
 * its samples outside of both builds belong to the newer build. If there is no memory, the next
 * call of members__follow() returns -ENOMEM.
 */
enum comparison_side members__side(
	struct members *members, const struct model *model, const struct event *event);
/*
 * For a side that is selected by its build, returns how long any of its processes existed.
 * Otherwise returns the time from its first to its last sample.
 */
uint64_t members__life_ns(const struct members *members, enum comparison_side side);
/* Returns the number of processes with samples on this side. */
size_t members__n_processes(const struct members *members, enum comparison_side side);
/*
 * Returns the number of samples that match the selections of both sides, and not because their
 * process maps the builds of both.
 */
uint64_t members__n_of_both(const struct members *members);
/* Whether the selection is by builds that processes map. */
bool selection__is_by_build(const struct selection *selection);
/* Whether processes that map @sighting are selected. */
bool selection__matches(const struct selection *selection, const struct sighting *sighting);

#endif
