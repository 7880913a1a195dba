/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The header features of a recording: the machine's features, which are known at its start, and
 * perfstamp's own lines, which are known at its end.
 */
#ifndef PERFSTAMP_RECORD_FEATURES_H
#define PERFSTAMP_RECORD_FEATURES_H

#include "user/base/error.h"
#include "user/perfdata/write/writer.h"
#include "user/record/summary.h"
#include "user/source/perf/evlist.h"

/* Passes the machine's features to the writer. @clockid: CLOCK_*, or -1. */
int features__machine(struct perfdata_writer *writer, int clockid, int argc,
	const char *const *argv, struct error *err);

/* Passes those features that change with time, for the next file. */
int features__clock(struct perfdata_writer *writer, int clockid, struct error *err);

/* Passes the formats of tracepoints, if @evlist has any. Must precede the start of the file. */
int features__tracepoints(
	struct perfdata_writer *writer, const struct evlist *evlist, struct error *err);

/* Passes the groups of events, if there are any. */
int features__groups(
	struct perfdata_writer *writer, const struct evlist *evlist, struct error *err);

/* Version, rung and losses by cause, as lines of stamp.h; docs/format.md has the keys. */
int features__stamp(
	struct perfdata_writer *writer, const struct recorder_summary *summary, struct error *err);

#endif
