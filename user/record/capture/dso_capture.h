/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copies mapped files to the store while they are mapped: each identity once, whatever its
 * paths and containers are. A separate process does everything that may block
 * (dso_copier.h). This keeps the list of identities, and the result for each. Does not know
 * files and stores.
 */
#ifndef PERFSTAMP_RECORD_DSO_CAPTURE_H
#define PERFSTAMP_RECORD_DSO_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"
#include "user/base/error.h"
#include "user/event/event.h"
#include "user/record/capture/dso_outcomes.h"
#include "user/source/containers/cgroup.h"

enum dso_capture_what {
	DSO_CAPTURE_NOTHING,
	DSO_CAPTURE_SYMBOLS,
	DSO_CAPTURE_FULL,
};

struct dso_capture_options {
	enum dso_capture_what what;
	const char *buildid_dir; /* the store; NULL: perf's */
	uint64_t room;           /* limit of all captured files in bytes; 0: none */
	uint64_t rate;           /* bytes a second; 0: unlimited */
	uint64_t age_s;          /* remove captured files not seen for this long; 0: never */
};

struct dso_capture;

/*
 * Starts the process. Call it early, before files are opened or mapped that the process does not
 * need. The events' times are of @clockid. Returns 0 or -errno.
 */
int dso_capture__new(struct dso_capture **ret, const struct dso_capture_options *options,
	int clockid, struct error *err);
/*
 * From now on, owners are determined from cgroups. The caller keeps @cgroups, which must be valid
 * as long as mappings are reported. Before that, and if cgroup2 is not mounted, everything belongs
 * to one owner.
 */
void dso_capture__divide(struct dso_capture *capture, const struct cgroup_paths *cgroups);
/* Ends the process; waits a tenth of a second for one that cannot be killed. */
void dso_capture__free(struct dso_capture *capture);

/*
 * Reports a mapping with its identity, if it has one: requests a copy if the identity is
 * new. Never waits.
 */
void dso_capture__see(struct dso_capture *capture, const struct event *event);
/* Collects finished copies. Never waits. */
void dso_capture__collect(struct dso_capture *capture);
/* Copies the remaining files; waits up to half a minute, while there is progress. */
void dso_capture__finish(struct dso_capture *capture);

void dso_capture__count(const struct dso_capture *capture, struct dso_capture_counts *ret);
/* "captured 41 DSOs (12 MB), 3 there already, 2 missed (…)". */
void dso_capture__describe(const struct dso_capture *capture, char *ret, size_t size);
/* Appends the recording's own lines on it (docs/format.md). */
void dso_capture__stamp(const struct dso_capture *capture, struct buffer *out);

#endif
