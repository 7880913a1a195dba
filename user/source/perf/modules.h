/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernel modules by PERF_RECORD_MODULE (user/event/native.h): passes on records of loaded
 * and unloaded modules. Has separate events, one per CPU, because the loading process may
 * not be recorded. Replaces source/bpf/modules.h on patched kernels.
 */
#ifndef PERFSTAMP_SOURCE_PERF_MODULES_H
#define PERFSTAMP_SOURCE_PERF_MODULES_H

#include <stdbool.h>
#include <stdint.h>

#include "perfstamp/record.h"
#include "user/base/error.h"

struct perf_modules;

/*
 * Opens the events and begins. From now on only the records that perf_modules__lost counts are
 * missed. perf_native__probe must have found that the kernel has these records. Returns 0; -EACCES
 * or -EPERM without CAP_PERFMON; -ENOSYS if it has no modules; otherwise -errno.
 */
int perf_modules__new(struct perf_modules **ret, struct error *err);
void perf_modules__free(struct perf_modules *modules);

/*
 * Called with each record, in the order of their times, without a path; @record is valid during the
 * call. A negative errno from it ends the walk.
 */
typedef int perf_module_fn(const struct perfstamp_module *record, void *ctx);

/* For poll, with EPOLLET: signalled at each record. */
int perf_modules__fd(const struct perf_modules *modules);
/*
 * Passes on the records so far. Keeps those that arrive meanwhile for the next call, unless this
 * call is the @last. Returns 0, -errno with @err, or what @fn returned.
 */
int perf_modules__drain(
	struct perf_modules *modules, bool last, perf_module_fn *fn, void *ctx, struct error *err);

/*
 * Looks for CPUs that were off-line: their events, which the kernel has removed, are opened again,
 * or for the first time. Each call also checks one of the other CPUs for having been off-line
 * meanwhile. Returns true if something may have been missed, or will be, because an event cannot be
 * opened.
 */
bool perf_modules__look_at_cpus(struct perf_modules *modules);

/* Records that were lost since the start: their ring was full. */
uint64_t perf_modules__lost(const struct perf_modules *modules);

#endif
