/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compares the mapped files of every process with the files currently at the same paths in
 * its mount namespace. Files are compared by inode, then by identity, then by the code in
 * them, so that equal content is never reported as replaced. Does not know the model:
 * passes on events, and reports stale mappings besides.
 */
#ifndef PERFSTAMP_SOURCE_REPLACED_SCAN_H
#define PERFSTAMP_SOURCE_REPLACED_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "perfstamp/record.h"
#include "user/base/error.h"
#include "user/event/event.h"

/* Reports that the mapping of the newest event is not of the file at its path. */
struct stale_mapping {
	uint32_t pid;
	uint64_t addr;
	uint32_t mnt_ns;
	const char *path;
	bool gone; /* there is no file at the path */
	struct perfstamp_identity now;
	/* CLOCK_REALTIME of the new file's last change, or of the directory's. */
	uint64_t since_ns;
};

struct replaced_scan_counts {
	size_t processes;
	size_t denied; /* processes whose maps may not be read */
	/* Mappings whose path could not be looked at, or whose file could not be read. */
	size_t unknown;
	size_t looked; /* paths that were looked at */
};

struct replaced_scan_ops {
	/* called with FORK, COMM and MAP, as by proc/tasks.h */
	int (*event)(void *ctx, const struct event *event);
	int (*stale)(void *ctx, const struct stale_mapping *stale);
	void *ctx;
};

/*
 * Looks at @pids, or at all processes if @n_pids is 0. A nonzero result of a callback ends the scan
 * and is returned. Otherwise returns 0, or -errno with text.
 */
int replaced_scan__run(const pid_t *pids, size_t n_pids, const struct replaced_scan_ops *ops,
	struct replaced_scan_counts *ret_counts, struct error *err);

#endif
