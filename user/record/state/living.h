/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Follows the current state while records are written, so that the next file can begin with
 * it and be read by itself (model/alive/alive.h). Gets the written events and kernel
 * records, sorts them by time, and applies them up to the time before which no more records
 * can follow. Reads nothing from the machine.
 */
#ifndef PERFSTAMP_RECORD_LIVING_H
#define PERFSTAMP_RECORD_LIVING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/event/event.h"
#include "user/model/alive/alive.h"
#include "user/parse/event/record_scan.h"

struct living;
struct event_decoder;

/*
 * Takes ownership of @decoder, also on failure; it knows the attributes of the records. Returns 0
 * or -ENOMEM.
 */
int living__new(struct living **ret, struct event_decoder *decoder, struct error *err);
void living__free(struct living *living);

/* The types of the kernel's records that it follows; others do not change the state. */
#define LIVING_TYPES                                                                               \
	(RECORD_TYPE(PERF_RECORD_COMM) | RECORD_TYPE(PERF_RECORD_FORK) |                           \
		RECORD_TYPE(PERF_RECORD_EXIT) | RECORD_TYPE(PERF_RECORD_NAMESPACES) |              \
		RECORD_TYPE(PERF_RECORD_CGROUP) | RECORD_TYPE(PERF_RECORD_KSYMBOL) |               \
		RECORD_TYPE(PERF_RECORD_BPF_EVENT))

/* Follow a written event, and a record of the kernel. Return 0 or -errno. */
int living__event(struct living *living, const struct event *event);
int living__record(struct living *living, const struct record_view *view, struct error *err);

/*
 * Reports that all records up to @time_ns, in the samples' clock, have been written.
 * Returns 0 or -ENOMEM.
 */
int living__advance(struct living *living, uint64_t time_ns);

/*
 * Write the state at the last advance. The first function writes the kernel's image. The second one
 * writes the rest, and then later records that were already written, with their own times. Return
 * 0, or what @fn returned.
 */
int living__synthesize_image(const struct living *living, alive_fn *fn, void *ctx);
int living__synthesize(const struct living *living, alive_fn *fn, void *ctx);

struct alive *living__alive(const struct living *living);
/* Returns the approximate size in bytes. */
size_t living__memory(const struct living *living);

#endif
