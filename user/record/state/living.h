/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Follows what is alive while records pass to the file, so that a next file can begin
 * with it and stands alone (model/alive/alive.h). Takes what is written, as events or as the
 * kernel's records, puts it in time order, and applies it up to the moment that it is
 * known: no older record can come then. Asks nothing of the machine.
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
 * Takes @decoder, on failure too, which knows the attributes of the records. Returns 0 or
 * -ENOMEM.
 */
int living__new(struct living **ret, struct event_decoder *decoder, struct error *err);
void living__free(struct living *living);

/* The kernel's records that it follows; of others nothing is alive afterwards. */
#define LIVING_TYPES                                                                               \
	(RECORD_TYPE(PERF_RECORD_COMM) | RECORD_TYPE(PERF_RECORD_FORK) |                           \
		RECORD_TYPE(PERF_RECORD_EXIT) | RECORD_TYPE(PERF_RECORD_NAMESPACES) |              \
		RECORD_TYPE(PERF_RECORD_CGROUP) | RECORD_TYPE(PERF_RECORD_KSYMBOL) |               \
		RECORD_TYPE(PERF_RECORD_BPF_EVENT))

/* An event that is written, and a record of the kernel's. Returns 0 or -errno. */
int living__event(struct living *living, const struct event *event);
int living__record(struct living *living, const struct record_view *view, struct error *err);

/* All that is not later than @time_ns has come, in the samples' clock. Returns 0 or -ENOMEM. */
int living__advance(struct living *living, uint64_t time_ns);

/*
 * What is alive at the time of the last advance: the kernel's image; the rest; and what
 * has been written already though it is later, with its own time. 0, or what @fn returned.
 */
int living__synthesize_image(const struct living *living, alive_fn *fn, void *ctx);
int living__synthesize(const struct living *living, alive_fn *fn, void *ctx);

struct alive *living__alive(const struct living *living);
/* Bytes that all of it takes, nearly. */
size_t living__memory(const struct living *living);

#endif
