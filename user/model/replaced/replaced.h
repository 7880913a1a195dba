/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which processes still map a build of a path that, in their own mount namespace,
 * gives another one by now, or none. Pure: it stands beside a model and hears the
 * same events; its caller says what a path gives.
 *
 * A stream, live or of a file: after each model__apply(model, event) the same event
 * goes to replaced__apply, which calls back at the first map of a path with other
 * content than what others still map: the replacement is in use from then on.
 * Who hears of changes in file systems (fanotify on paths that are mapped, or a look
 * now and then) reads what the path gives, in that mount namespace, and hands it to
 * replaced__path, which calls back in the same way: the replacement is seen before
 * anybody maps it. Each change of a path calls back once for each old content that is
 * still mapped there; equal content, by whatever means it came, never does. What
 * stands at the end, or at any time, is asked for by replaced__for_each, which also
 * knows of old mappings that only a snapshot after a loss has.
 * A long-running caller calls replaced__trim now and then.
 */
#ifndef PERFSTAMP_MODEL_REPLACED_H
#define PERFSTAMP_MODEL_REPLACED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/model/model.h"
#include "user/model/replaced/differ.h"

struct replaced;

enum replaced_kind {
	REPLACED_CONTENT,  /* the path gives other content */
	REPLACED_GONE,     /* the path gives nothing, or no regular file */
	REPLACED_UNLINKED, /* the file had no name any more; what the path gives is not known */
	REPLACED_KINDS,
};

struct replacement {
	enum replaced_kind kind;
	const char *path;
	uint32_t mnt_ns; /* 0: not known */
	uint32_t old;    /* the sighting that is still mapped */
	/* What the path gives; all 0 except for REPLACED_CONTENT. */
	struct perfstamp_identity now;
	/*
	 * Both have one build-id, and their bytes differ: stripped, prelinked, or of
	 * a build system that gives one id to all.
	 */
	bool same_build_id;
	bool mapped; /* the new content has been mapped; else it was looked for */
	/* Since when the path is known to give it; 0: before the stream began. */
	uint64_t since_ns;
	/* Live processes that map the old content in this namespace. */
	size_t n_processes;
	size_t n_threads;
	size_t n_pids; /* at most 1,024 of them, in the model's order */
	const uint32_t *pids;
	size_t n_cgroups; /* at most 64 of theirs, each once */
	const uint64_t *cgroups;
};

/* @replacement is valid during the call. A nonzero result ends the loop and is returned. */
typedef int replaced_fn(void *ctx, const struct replacement *replacement);

/* @model must live as long. Returns 0 or -ENOMEM. */
int replaced__new(struct replaced **ret, const struct model *model);
void replaced__free(struct replaced *replaced);

/*
 * Whether @mapping, of old content, still exists. The model hears of exits later than they
 * happen, so that without this a process that has ended would be reported.
 */
typedef bool replaced_check_fn(void *ctx, const struct model_mapping *mapping);
/*
 * Has @fn asked about each process before it is reported by replaced__apply, replaced__path
 * and replaced__for_each; NULL: the model is believed. What no process maps is not reported.
 */
void replaced__check_by(struct replaced *replaced, replaced_check_fn *fn, void *ctx);

/*
 * Takes an event that the model has taken. @fn may be NULL. Returns 0, -ENOMEM, or
 * what @fn returned.
 */
int replaced__apply(
	struct replaced *replaced, const struct event *event, replaced_fn *fn, void *ctx);

/*
 * Reports that @path in mount namespace @mnt_ns has the content @now since @since_ns, or no
 * file if it is NULL. If the code is known to be the same as the mapped one, though the
 * bytes differ, the caller passes the identity of the mapped one. Returns as above.
 */
int replaced__path(struct replaced *replaced, uint32_t mnt_ns, const char *path,
	const struct perfstamp_identity *now, uint64_t since_ns, replaced_fn *fn, void *ctx);

/*
 * What process @pid maps at @addr is known, by more than its identity, not to be what its
 * path gives: its code was compared. Tells nothing by itself. Returns 0 or -ENOMEM.
 */
int replaced__stale(struct replaced *replaced, uint32_t pid, uint64_t addr, uint64_t since_ns);

/* All that is replaced now, in order of the old sightings' appearance. Returns as above. */
int replaced__for_each(struct replaced *replaced, replaced_fn *fn, void *ctx);

/* How much is replaced now. */
struct replaced_counts {
	size_t dsos[REPLACED_KINDS]; /* builds that are still mapped, each in a mount namespace */
	size_t processes;            /* that map any of them, each once */
};

/* Goes through all mappings in @model, the one of @replaced. Returns 0 or -ENOMEM. */
int replaced__count(
	struct replaced *replaced, const struct model *model, struct replaced_counts *ret);

/* Forgets the paths that no live process maps. Returns 0 or -ENOMEM. */
int replaced__trim(struct replaced *replaced);

#endif
