/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds processes that map an outdated build of a path: in their own mount namespace, the path now
 * has another build, or no file. Pure: it is used beside a model and receives the same events. Its
 * caller reads the files.
 *
 * With a stream, live or from a file: the caller applies each event to the model, and then calls
 * replaced__apply() with it. This calls back at the first mapping of a path with other content than
 * existing mappings: from then on the replacement is in use.
 *
 * A caller that observes the file system (fanotify on mapped paths, or polling) reads the content
 * of a changed path in that mount namespace, and calls replaced__path() with it. This calls back in
 * the same way, so the replacement is reported before a process maps it. Each change of a path
 * calls back once for each old content that is still mapped. Equal content never calls back.
 *
 * replaced__for_each() lists the outdated mappings at any time. It includes old mappings that only
 * a snapshot after a loss has shown. A long-running caller calls replaced__trim() now and then.
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
	REPLACED_CONTENT,  /* the path has other content */
	REPLACED_GONE,     /* the path has no file, or no regular one */
	REPLACED_UNLINKED, /* the mapped file was unlinked; the content of the path is not known */
	REPLACED_KINDS,
};

struct replacement {
	enum replaced_kind kind;
	const char *path;
	uint32_t mnt_ns; /* 0: not known */
	uint32_t old;    /* index of the sighting that is still mapped */
	/* The current content of the path; all 0 except for REPLACED_CONTENT. */
	struct perfstamp_identity now;
	/*
	 * Both contents have one build-id, but their bytes differ: one was stripped or prelinked,
	 * or the build system gives all files the same id.
	 */
	bool same_build_id;
	/* A process has mapped the new content; else it was found by reading the path. */
	bool mapped;
	/*
	 * The time since which the path is known to have this content; 0: before the stream began.
	 */
	uint64_t since_ns;
	/* Live processes that map the old content in this namespace. */
	size_t n_processes;
	size_t n_threads;
	size_t n_pids; /* at most 1,024 of them, in the order of the model */
	const uint32_t *pids;
	size_t n_cgroups; /* at most 64 distinct cgroups of these processes */
	const uint64_t *cgroups;
};

/* @replacement is valid during the call. A nonzero result stops the iteration, which returns it. */
typedef int replaced_fn(void *ctx, const struct replacement *replacement);

/* @model has to live as long as *@ret. Returns 0 or -ENOMEM. */
int replaced__new(struct replaced **ret, const struct model *model);
void replaced__free(struct replaced *replaced);

/*
 * Whether @mapping, which has old content, still exists. The model learns of exits with a delay;
 * without this check, processes that have ended would be reported.
 */
typedef bool replaced_check_fn(void *ctx, const struct model_mapping *mapping);
/*
 * Calls @fn for each process before replaced__apply, replaced__path and replaced__for_each report
 * it; NULL: does not verify the model. Content that no process maps is not reported.
 */
void replaced__check_by(struct replaced *replaced, replaced_check_fn *fn, void *ctx);

/*
 * Applies an event that was applied to the model before. @fn may be NULL. Returns 0, -ENOMEM, or
 * the result of @fn.
 */
int replaced__apply(
	struct replaced *replaced, const struct event *event, replaced_fn *fn, void *ctx);

/*
 * Sets the content of @path in mount namespace @mnt_ns since @since_ns to @now; NULL: the file is
 * missing. If the bytes differ from the mapped content but the code is known to be the same, the
 * caller passes the identity of the mapped content. Returns as above.
 */
int replaced__path(struct replaced *replaced, uint32_t mnt_ns, const char *path,
	const struct perfstamp_identity *now, uint64_t since_ns, replaced_fn *fn, void *ctx);

/*
 * Marks the content that process @pid maps at @addr as outdated: the caller has compared its code.
 * Does not call back. Returns 0 or -ENOMEM.
 */
int replaced__stale(struct replaced *replaced, uint32_t pid, uint64_t addr, uint64_t since_ns);

/* Lists all current replacements, in order of appearance of the old sightings. Returns as above. */
int replaced__for_each(struct replaced *replaced, replaced_fn *fn, void *ctx);

/* Counts of what is replaced now. */
struct replaced_counts {
	/* Outdated builds that are mapped, counted in each mount namespace. */
	size_t dsos[REPLACED_KINDS];
	size_t processes; /* processes that map any of them, each counted once */
};

/* Visits all mappings in @model, which is the model of @replaced. Returns 0 or -ENOMEM. */
int replaced__count(
	struct replaced *replaced, const struct model *model, struct replaced_counts *ret);

/* Removes the paths that no live process maps. Returns 0 or -ENOMEM. */
int replaced__trim(struct replaced *replaced);

#endif
